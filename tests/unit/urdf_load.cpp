// load_model: what a name stands for.
#include <filesystem>
#include <fstream>

#include <gtest/gtest.h>
#include <unistd.h>

#include "sweepdyn/io/model/load.hpp"
#include "sweepdyn/io/model/native.hpp"
#include "sweepdyn/io/model/sdf.hpp"
#include "urdf_helpers.hpp"

namespace {

using namespace sweepdyn;
using namespace sweepdyn::urdf_testing;
namespace fs = std::filesystem;

// A file of our own, gone at the end.
struct File {
    fs::path path;
    File(const std::string& name, const std::string& text)
        : path(fs::temp_directory_path() / ("sweepdyn_load_" + std::to_string(::getpid()) + "_" + name))
    {
        std::ofstream(path, std::ios::binary) << text;
    }
    ~File() { fs::remove(path); }
    Model load() const { return load_model(path.string()); }
};

TEST(LoadModel, generators)
{
    EXPECT_EQ(load_model("chain:4").num_bodies(), 4);
    EXPECT_THROW(load_model("chain:x"), UsageError);
    LoadOptions options;
    options.gravity = Vec3<double>{0, 0, 1};
    EXPECT_EQ(load_model("tree:3", options).gravity(), (Vec3<double>{0, 0, 1}));
}

TEST(LoadModel, content_tells_more_than_the_ending)
{
    const std::string urdf = robot(link("a"));
    const std::string native = write_native(parse(urdf));
    EXPECT_EQ(File("a.txt", "\xEF\xBB\xBF \n" + urdf).load().name(), "r");
    EXPECT_EQ(File("a.json", urdf).load().name(), "r");
    EXPECT_EQ(File("b.urdf", native).load().name(), "r");
    EXPECT_EQ(File("b.json", native).load().name(), "r");
}

TEST(LoadModel, by_the_root_element)
{
    const std::string folder = std::string(SWEEPDYN_TEST_DATA) + "/data/";
    EXPECT_EQ(load_model(folder + "mjcf/arm.xml").name(), "arm");
    EXPECT_EQ(load_model(folder + "urdf/four_bar_plus.urdf").loops().size(), 2u);
    if (reads_sdf()) {
        EXPECT_EQ(load_model(folder + "sdf/four_bar.sdf").loops().size(), 1u);
    }
}

TEST(LoadModel, neither)
{
    const File file("a.stl", "solid cube\n");
    try {
        file.load();
        FAIL();
    } catch (const ModelError& error) {
        EXPECT_EQ(error.faults,
                  Texts{"neither URDF, SDF, MJCF nor a native model: it begins with \"solid cube \"; "
                        "expected XML with <robot>, <sdf> or <mujoco>, or JSON with "
                        "\"format\": \"sweepdyn-model/1\""});
    }
    try {
        load_model("no_such_thing:3");
        FAIL();
    } catch (const ModelError& error) {
        EXPECT_EQ(error.faults, Texts{"no such file; give a .urdf, .sdf, .xml (MJCF) or native .json file, "
                                      "or chain:N, tree:N, random:N:SEED"});
    }
}

} // namespace
