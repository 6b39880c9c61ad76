// A second opinion: urdfdom, the parser of ROS, reads the same files.
#include <filesystem>
#include <iostream>
#include <set>

#include <gtest/gtest.h>
#include <urdf_parser/urdf_parser.h>

#include "sweepdyn/spatial/rotation.hpp"
#include "urdf_helpers.hpp"

namespace {

using namespace sweepdyn;
using namespace sweepdyn::urdf_testing;
namespace fs = std::filesystem;

Vec3<double> vector(const urdf::Vector3& v) { return {v.x, v.y, v.z}; }
Pose<double> pose(const urdf::Pose& X)
{
    Quaternion<double> quaternion;
    X.rotation.getQuaternion(quaternion.x, quaternion.y, quaternion.z, quaternion.w);
    return {rotation_matrix(quaternion), vector(X.position)};
}

double distance(const Mat3<double>& A, const Mat3<double>& B)
{
    return norm(A.x - B.x) + norm(A.y - B.y) + norm(A.z - B.z);
}
void expect_same(const Pose<double>& ours, const Pose<double>& theirs)
{
    EXPECT_LE(norm(ours.p - theirs.p), 1e-12 * (1.0 + norm(theirs.p)));
    EXPECT_LE(distance(ours.R, theirs.R), 1e-12);
}

HingeKind kind(int type)
{
    switch (type) {
    case urdf::Joint::REVOLUTE: return HingeKind::revolute;
    case urdf::Joint::CONTINUOUS: return HingeKind::continuous;
    case urdf::Joint::PRISMATIC: return HingeKind::prismatic;
    case urdf::Joint::FLOATING: return HingeKind::free;
    case urdf::Joint::PLANAR: return HingeKind::planar;
    default: return HingeKind::weld;
    }
}

void compare_shape(const Shape& ours, const urdf::Pose& origin, const urdf::Geometry& theirs)
{
    expect_same(ours.X_BS, pose(origin));
    if (const auto* box = dynamic_cast<const urdf::Box*>(&theirs)) {
        EXPECT_EQ(ours.kind, Shape::Kind::box);
        EXPECT_EQ(ours.size, (std::vector{box->dim.x, box->dim.y, box->dim.z}));
    } else if (const auto* cylinder = dynamic_cast<const urdf::Cylinder*>(&theirs)) {
        EXPECT_EQ(ours.kind, Shape::Kind::cylinder);
        EXPECT_EQ(ours.size, (std::vector{cylinder->radius, cylinder->length}));
    } else if (const auto* sphere = dynamic_cast<const urdf::Sphere*>(&theirs)) {
        EXPECT_EQ(ours.kind, Shape::Kind::sphere);
        EXPECT_EQ(ours.size, std::vector{sphere->radius});
    } else if (const auto* mesh = dynamic_cast<const urdf::Mesh*>(&theirs)) {
        EXPECT_EQ(ours.kind, Shape::Kind::mesh);
        EXPECT_EQ(ours.file, mesh->filename);
        EXPECT_EQ(ours.size, (std::vector{mesh->scale.x, mesh->scale.y, mesh->scale.z}));
    } else
        ADD_FAILURE() << "a geometry that this test does not know";
}

void compare_link(const Body& ours, const urdf::Link& theirs)
{
    ASSERT_EQ(ours.visuals.size(), theirs.visual_array.size());
    for (std::size_t i = 0; i < ours.visuals.size(); ++i) {
        const urdf::Visual& visual = *theirs.visual_array[i];
        compare_shape(ours.visuals[i], visual.origin, *visual.geometry);
        if (visual.material && !ours.visuals[i].color.empty()) {
            const urdf::Color& color = visual.material->color;
            const std::vector<double> rgba{color.r, color.g, color.b, color.a};
            for (std::size_t c = 0; c < 4; ++c)
                EXPECT_NEAR(ours.visuals[i].color[c], rgba[c], 1e-6); // urdfdom holds floats
        }
    }
    ASSERT_EQ(ours.collisions.size(), theirs.collision_array.size());
    for (std::size_t i = 0; i < ours.collisions.size(); ++i)
        compare_shape(ours.collisions[i], theirs.collision_array[i]->origin,
                      *theirs.collision_array[i]->geometry);
    if (!theirs.inertial) {
        EXPECT_EQ(ours.mass, 0.0);
        return;
    }
    const urdf::Inertial& inertial = *theirs.inertial;
    const Pose<double> X = pose(inertial.origin);
    EXPECT_EQ(ours.mass, inertial.mass);
    EXPECT_EQ(ours.com, X.p);
    const Mat3<double> J = rotate(X.R, Sym3<double>{inertial.ixx, inertial.ixy, inertial.ixz, inertial.iyy,
                                                    inertial.iyz, inertial.izz})
                               .full();
    EXPECT_LE(distance(ours.inertia_com.full(), J), 1e-12 * ours.inertia_com.trace());
}

void compare_joint(const Hinge& ours, const urdf::Joint& theirs, const std::string& ground_link)
{
    EXPECT_EQ(ours.kind, kind(theirs.type));
    EXPECT_EQ(ours.child, theirs.child_link_name);
    EXPECT_EQ(ours.parent.empty() ? ground_link : ours.parent, theirs.parent_link_name);
    expect_same(ours.X_PF, pose(theirs.parent_to_joint_origin_transform));
    if (ours.kind != HingeKind::weld && ours.kind != HingeKind::free) {
        const Vec3<double> axis = vector(theirs.axis);
        EXPECT_LE(norm(ours.axis - 1.0 / norm(axis) * axis), 1e-15);
    }
    if (theirs.limits && (ours.kind == HingeKind::revolute || ours.kind == HingeKind::prismatic)) {
        const urdf::JointLimits& limits = *theirs.limits;
        EXPECT_EQ(ours.limits, (Limits{{limits.lower}, {limits.upper}, {limits.velocity}, {limits.effort}}));
    }
    if (theirs.dynamics && num_dofs(ours) == 1) {
        EXPECT_EQ(ours.damping, std::vector{theirs.dynamics->damping});
        EXPECT_EQ(ours.friction, std::vector{theirs.dynamics->friction});
    }
}

void compare_mimics(const Model& ours, const urdf::ModelInterface& theirs)
{
    std::set<std::string> followers;
    for (const Loop& mimic : ours.loops()) {
        if (!theirs.joints_.contains(mimic.name)) // a <loop> or a <coupling>, which urdfdom does not read
            continue;
        ASSERT_EQ(mimic.terms.size(), 2u);
        const std::string& hinge = mimic.terms[0].dof;
        followers.insert(hinge);
        const auto other = theirs.joints_.at(hinge)->mimic;
        ASSERT_TRUE(other);
        EXPECT_EQ(mimic.terms[0].polynomial, std::vector<double>{1.0});
        EXPECT_EQ(mimic.terms[1].dof, other->joint_name);
        EXPECT_EQ(mimic.terms[1].polynomial, std::vector<double>{-other->multiplier});
        EXPECT_EQ(mimic.offset, other->offset);
    }
    for (const auto& [name, joint] : theirs.joints_)
        if (joint->mimic && joint->type != urdf::Joint::FIXED) {
            EXPECT_TRUE(followers.contains(name)) << name;
        }
}

// Returns the number of links compared.
std::size_t compare(const Model& ours, const urdf::ModelInterface& theirs)
{
    EXPECT_EQ(ours.name(), theirs.getName());
    const std::string root = theirs.getRoot()->name;
    const bool root_is_body = ours.hinges()[0].child == root;
    EXPECT_EQ(ours.bodies().size() + (root_is_body ? 0 : 1), theirs.links_.size());
    for (const Body& body : ours.bodies()) {
        SCOPED_TRACE("link " + body.name);
        compare_link(body, *theirs.links_.at(body.name));
    }
    for (std::size_t k = root_is_body ? 1 : 0; k < ours.hinges().size(); ++k) {
        SCOPED_TRACE("joint " + ours.hinges()[k].name);
        compare_joint(ours.hinges()[k], *theirs.joints_.at(ours.hinges()[k].name), root);
    }
    compare_mimics(ours, theirs);
    return theirs.links_.size();
}

TEST(UrdfAgainstUrdfdom, every_file)
{
    std::size_t files = 0, links = 0;
    for (const std::string& folder : {std::string(SWEEPDYN_MODELS), data("")})
        for (const auto& entry : fs::directory_iterator(folder)) {
            if (entry.path().extension() != ".urdf")
                continue;
            SCOPED_TRACE(entry.path().filename().string());
            const auto theirs = urdf::parseURDFFile(entry.path().string());
            ASSERT_TRUE(theirs);
            links += compare(read_urdf(entry.path().string()), *theirs);
            ++files;
        }
    EXPECT_GE(files, 10u);
    std::cout << "note: urdfdom reads the same from " << files << " URDF files, " << links << " links\n";
}

} // namespace
