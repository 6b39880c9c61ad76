// Reads the native file into a ModelBuilder.
#pragma once

#include <unordered_map>
#include <unordered_set>

#include "native_json.hpp"
#include "sweepdyn/model/builder.hpp"

namespace sweepdyn::native {

// The schema: sweepdyn/io/model/native.hpp. Faults and notes go to the report, the rest to the builder.
class Reader {
public:
    Reader(ModelBuilder& builder, Report& report) : builder_(builder), report_(report) {}

    // The whole file into the builder. False when too little is left of the tree for the builder to judge it.
    bool read(const Value& top);

private:
    void know_top_keys(const Value& top);
    Body read_body(const Value& value, std::size_t place);
    void take_name(const Value& value, const std::string& name, Body& body);
    void read_shapes(const Value& body, const std::string& key, std::vector<Shape>& shapes);
    void read_hinge(const Value& value);
    void read_axes(const Value& value, Hinge& hinge);
    void read_dof_numbers(const Value& value, Hinge& hinge);
    void read_actuated(const Value& value);
    void read_frame(const Value& value);
    void read_loop(const Value& value, std::size_t place);
    void read_ends(const Value& value, Loop& loop);
    void read_coupling(const Value& value, Loop& loop);
    std::optional<std::string> coupled_dof(const Value& item, const std::string& what);

    // The name of a body given by index or by name; empty: the ground.
    std::optional<std::string> body_name(const Value& value);
    Pose<double> pose(const Value& value, const std::string& rotation, const std::string& position);
    void check_index(const Value& value, std::size_t place);

    ModelBuilder& builder_;
    Report& report_;
    std::vector<std::string> names_; // of the bodies
    // Names of bodies to their places in names_, and to those of their hinges in the builder.
    std::unordered_map<std::string, std::size_t> body_of_, hinge_of_;
    std::unordered_set<std::string> shared_names_; // of two bodies or more
    bool tree_is_whole_ = true;
};

} // namespace sweepdyn::native
