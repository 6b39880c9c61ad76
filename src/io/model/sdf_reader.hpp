// What the parts of the SDF reader share. Only these files know sdformat.
#pragma once

#include <deque>

#include <sdf/sdf.hh>

#include "sweepdyn/model/builder.hpp"
#include "xml.hpp"

namespace sweepdyn::sdf_reader {

using namespace model_reader;

inline Vec3<double> vector(const ignition::math::Vector3d& v) { return {v.X(), v.Y(), v.Z()}; }
Pose<double> pose(const ignition::math::Pose3d& X);

// A joint with its ends, before it is known whether it carries its child or closes a loop. F in the parent, M in the child.
struct Joint {
    const sdf::Joint* joint = nullptr;
    const Element* element =
        nullptr; // in the file's XML, which knows lines, mimics and what sdformat does not
    std::string parent, child; // names of bodies; empty: the ground
    Hinge hinge{};
    bool is_gearbox = false;
    bool closes = false; // a loop
    bool between_models = false;
};

struct Part { // a model of the file
    const sdf::Model* model = nullptr;
    const Element* element = nullptr;
    std::string prefix{};
    Pose<double> X_WM{};
    std::map<std::string, Pose<double>> X_ML{}; // of the links, by their names in the file
    std::vector<Joint> joints{};
};

// sdf_vocabulary.cpp. Faults for what is not read, and for values that have no equal here; what is known to be without effect
// is counted.
void check_vocabulary(const Element& sdf, Report& report);
// sdf_links.cpp
void read_links(Part& part, ModelBuilder& builder, Report& report);
// sdf_joints.cpp
void read_joints(Part& part, Report& report);
// The kind, the axes and the laws, into the hinge; false when there is no such kind here.
bool read_kind(Joint& joint, Report& report);

// sdf_world_joints.cpp. The joints that stand directly in a world (SDF 1.10), which sdformat 12 does not know.
struct WorldJoints {
    Part part{}; // with joints only
    std::deque<sdf::Joint> storage{}; // of part.joints
};
void read_world_joints(const Element& world, const sdf::World& content, const std::vector<Part>& parts,
                       WorldJoints& out, Report& report);
// sdf_loops.cpp. Loops of joints that close, gearboxes, mimics; the hinges are in the builder.
void add_loops(const Part& part, ModelBuilder& builder, Report& report);

// True of versions of SDF that the library does not know, and whose additions are taken from the XML.
bool newer_than_sdformat(const Element& sdf);
// The child of that name whose attribute `name` is it; null when there is none.
const Element* named_child(const Element& parent, const char* kind, const std::string& name);
// sdformat's errors as faults at the element.
bool report_errors(const sdf::Errors& errors, const Element& at, Report& report);

} // namespace sweepdyn::sdf_reader
