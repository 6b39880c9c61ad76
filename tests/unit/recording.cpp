// Recordings through CSV and JSON, bit by bit.
#include <gtest/gtest.h>

#include "sweepdyn/io/results/recording.hpp"
#include "sweepdyn/io/results/state.hpp"
#include "sweepdyn/model/generate.hpp"

namespace sweepdyn {
namespace {

Recording sample()
{
    return {{{"time", "s"}, {"q:a, \"b\"", "rad"}, {"plain", ""}},
            {0.0, 1.0 / 3.0, -1e300, 0.1, 5e-324, 2.0, 0.30000000000000004, -0.1, 1e22}};
}

TEST(Recordings, ComeBackFromCsvAndJson)
{
    const Recording before = sample();
    Recording after = read_recording(write_csv(before), "csv");
    EXPECT_EQ(after.columns, before.columns);
    EXPECT_EQ(after.values, before.values);
    Simulation simulation;
    simulation.recording = before;
    after = read_recording(write_json(*generate_model("chain:2"), simulation, {}), "json");
    EXPECT_EQ(after.columns, before.columns);
    EXPECT_EQ(after.values, before.values);
}

TEST(Recordings, EventsAreWrittenWithTheirWords)
{
    Event touch, together;
    touch.name = "touch", together.name = "together";
    Simulation simulation;
    simulation.recording = sample();
    simulation.events = {{0, 0.5}, {1, 0.75, "'a', 'b' give way together"}};
    std::string json =
        write_json(*generate_model("chain:2"), simulation, std::vector<Event>{touch, together});
    std::erase_if(json, [](char c) { return c == ' ' || c == '\n'; });
    EXPECT_NE(
        json.find(
            R"("events":[{"name":"touch","time":0.5},{"name":"together","time":0.75,"words":"'a','b'givewaytogether"}])"),
        std::string::npos)
        << json;
}

TEST(Recordings, ReadWhatOthersWrite)
{
    const Recording read =
        read_recording("\xEF\xBB\xBF# by hand\r\n\r\ntime , x [m]\r\n 0 , +1.5 \r\n1,2e3\r\n", "csv");
    EXPECT_EQ(read.columns, (std::vector<Column>{{"time", ""}, {"x", "m"}}));
    EXPECT_EQ(read.values, (std::vector<double>{0, 1.5, 1, 2000}));
    const auto words = [](const char* text) -> std::string {
        try {
            read_recording(text, "file");
        } catch (const StateError& error) {
            return error.what();
        }
        return "";
    };
    EXPECT_NE(words("time,x\n0,1\n1\n").find("line 3: got 1 fields, expected 2"), std::string::npos);
    EXPECT_NE(words("time,\"x\n").find("a quote is not closed"), std::string::npos);
    EXPECT_NE(words("{\"time\": [0, 1], \"x\": [1]}").find("x has 1 numbers, expected 2"), std::string::npos);
    EXPECT_NE(words("{\"x\": [1]}").find("no time"), std::string::npos);
    EXPECT_NE(words("{\"signals\": [{\"name\": 3}]}").find("expected {\"name\": TEXT"), std::string::npos);
}

} // namespace
} // namespace sweepdyn
