// Linear models as JSON and CSV, read back; MAT-files are written whole or not at all (tests/examples/linear_models_page.py reads one).
#include <fstream>

#include <nlohmann/json.hpp>

#include "support/linear.hpp"
#include "sweepdyn/io/results/analysis.hpp"
#include "sweepdyn/io/results/state_space.hpp"

namespace sweepdyn::test {
namespace {

StateSpace example()
{
    StateSpace out = named(rows({{0, 1}, {-1.0 / 3, -0.1}}), rows({{0}, {2}}), {"q:elbow", "v:elbow"});
    out.inputs = {"T:elbow"};
    out.outputs = {"pose:a,b.x", "v:elbow"};
    out.C = rows({{0.5, 0}, {0, 1}});
    out.f0 = {0, 1e-17};
    out.x0 = {0.1, 0}, out.u0 = {3}, out.y0 = {0.25, 0};
    out.q0 = {0.1}, out.v0 = {0}, out.T0 = {3};
    out.notes = {"said \"so\""};
    return out;
}

TEST(StateSpaceFiles, Json)
{
    const auto json = nlohmann::json::parse(write_state_space(example(), "arm", ResultLayout::indented));
    EXPECT_EQ(json["A"], nlohmann::json::parse("[[0.0, 1.0], [-0.3333333333333333, -0.1]]"));
    EXPECT_EQ(json["C"][0], (std::vector<double>{0.5, 0}));
    EXPECT_EQ(json["states"], (std::vector<std::string>{"q:elbow", "v:elbow"}));
    EXPECT_EQ(json["f0"][1], 1e-17);
    EXPECT_EQ(json["model"], "arm");
    EXPECT_EQ(json["notes"][0], "said \"so\"");
    for (const char* key : {"B", "D", "x0", "u0", "y0", "q0", "v0", "T0", "inputs", "outputs"})
        EXPECT_TRUE(json.contains(key)) << key;
    StateSpace broken = example();
    broken.B(1, 0) = NAN;
    EXPECT_NE(words_of<RefusedError>([&] { write_state_space(broken, "arm"); }).find("'B' is not finite"),
              std::string::npos);
}

TEST(StateSpaceFiles, Csv)
{
    EXPECT_EQ(write_state_space_csv(example()), ",q:elbow,v:elbow,T:elbow,constant\n"
                                                "d/dt q:elbow,0,1,0,0\n"
                                                "d/dt v:elbow,-0.3333333333333333,-0.1,2,1e-17\n"
                                                "\"pose:a,b.x\",0.5,0,0,0.25\n"
                                                "v:elbow,0,1,0,0\n"
                                                "operating point,0.1,0,3,\n"
                                                "\"note: said \"\"so\"\"\",,,,\n");
}

// The descriptor form is the same file with E beside A.
TEST(StateSpaceFiles, Descriptor)
{
    DescriptorSystem form;
    form.system = example();
    form.E = Matrix::identity(2);
    form.E(1, 1) = 0.5;
    auto json = nlohmann::json::parse(write_state_space(form, "arm"));
    EXPECT_EQ(json["E"], nlohmann::json::parse("[[1.0, 0.0], [0.0, 0.5]]"));
    json.erase("E");
    EXPECT_EQ(json, nlohmann::json::parse(write_state_space(example(), "arm")));
    EXPECT_EQ(write_state_space_csv(form), ",d/dt q:elbow,d/dt v:elbow,q:elbow,v:elbow,T:elbow,constant\n"
                                           "equation q:elbow,1,0,0,1,0,0\n"
                                           "equation v:elbow,0,0.5,-0.3333333333333333,-0.1,2,1e-17\n"
                                           "\"pose:a,b.x\",,,0.5,0,0,0.25\n"
                                           "v:elbow,,,0,1,0,0\n"
                                           "operating point,,,0.1,0,3,\n"
                                           "\"note: said \"\"so\"\"\",,,,,,\n");
    form.E(0, 1) = NAN;
    EXPECT_NE(words_of<RefusedError>([&] { write_state_space(form, "arm"); }).find("'E' is not finite"),
              std::string::npos);
    if (!writes_mat_files())
        return;
    const std::filesystem::path path = std::filesystem::path(testing::TempDir()) / "sweepdyn_descriptor.mat";
    EXPECT_NE(
        words_of<RefusedError>([&] { write_state_space_mat(form, "arm", path); }).find("'E' is not finite"),
        std::string::npos);
    form.E(0, 1) = 0.0;
    write_state_space_mat(form, "arm", path);
    const auto with_E = std::filesystem::file_size(path);
    write_state_space_mat(example(), "arm", path);
    EXPECT_EQ(with_E,
              std::filesystem::file_size(path) + 88); // a variable of 4 numbers: tags, flags, sizes, name
    std::filesystem::remove(path);
}

TEST(StateSpaceFiles, Poles)
{
    const auto json = nlohmann::json::parse(write_poles(
        named(rows({{0, 1}, {0, 0}}), rows({{0}, {0}}), {"q:a", "v:a"}), "slide", {true, true, true}));
    EXPECT_EQ(json["poles"].size(), 2u);
    EXPECT_EQ(
        json["poles"][0],
        nlohmann::json::parse(
            R"({"re": 0.0, "im": 0.0, "frequency_hz": 0.0, "damping": 0.0, "shape": {"a": [1.0, 0.0]}})"));
    EXPECT_EQ(json["poles"][1]["grade"], 2);
    EXPECT_EQ(json["controllability"]["rank"], 0);
    EXPECT_EQ(json["controllability"]["of"], 2);
    EXPECT_EQ(json["observability"]["lost"].size(), 0u);
}

TEST(StateSpaceFiles, MatFilesAreWholeOrNotThere)
{
    const std::filesystem::path folder = testing::TempDir();
    if (!writes_mat_files()) {
        EXPECT_NE(words_of<RefusedError>([&] {
                      write_state_space_mat(example(), "arm", folder / "a.mat");
                  }).find("matio was not there"),
                  std::string::npos);
        return;
    }
    write_state_space_mat(example(), "arm", folder / "sweepdyn_example.mat");
    std::ifstream file(folder / "sweepdyn_example.mat");
    std::string head(10, ' ');
    file.read(head.data(), 10);
    EXPECT_EQ(head, "MATLAB 5.0");
    std::filesystem::remove(folder / "sweepdyn_example.mat");
    EXPECT_NE(words_of<std::runtime_error>([&] {
                  write_state_space_mat(example(), "arm", folder / "nowhere" / "a.mat");
              }).find("cannot be opened for writing"),
              std::string::npos);
    StateSpace broken = example();
    broken.A(0, 0) = INFINITY;
    EXPECT_NE(words_of<RefusedError>([&] { write_state_space_mat(broken, "arm", folder / "a.mat"); }), "");
    EXPECT_FALSE(std::filesystem::exists(folder / "a.mat"));
}

} // namespace
} // namespace sweepdyn::test
