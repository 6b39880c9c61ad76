// What every law is tried on: each kind of hinge, alone and in the middle of a tree, with and without armature, at neutral,
// at 1e-8 from it and at random; 200 random forests; deep chains of mixed hinges; and every robot that we ship.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "sweepdyn/model/builder.hpp"
#include "sweepdyn/model/configuration.hpp"
#include "sweepdyn/model/generate.hpp"
#include "sweepdyn/model/random.hpp"

namespace sweepdyn::test {

using Numbers = std::vector<double>;

struct Case {
    Model model;
    std::string where;
    Numbers q, v, a, T;
    std::vector<Force<double>> wrench; // on each body, world axes, about the origin of its frame
};

Numbers random_numbers(Random& random, int count, double size);

enum class Place { neutral, near_neutral, random };

Case make_case(const Model& model, const std::string& name, Place place, std::uint64_t seed);

// A solid box, turned.
Body random_body(Random& random, const std::string& name);

Hinge random_hinge(Random& random, HingeKind kind, const std::string& parent, const std::string& child);

// The kinds of hinge, a user's among them: by steps, and by functions of one and of two dofs.
struct HingeCase {
    std::string name;
    HingeKind kind;
    std::vector<HingeStep> steps{};
    std::shared_ptr<const UserHinge> user{};
};
const std::vector<HingeCase>& hinge_kinds();

// The hinge alone between a body and the ground, or in the middle: revolute, the hinge, then two branches on its child.
Model hinge_model(const HingeCase& which, bool alone, bool armature);

const std::vector<Case>& hinge_cases();

// A random model with every body hung on the one before: deeper than pole_depth.
Model deep_chain(int bodies, int seed);

// The address sanitizer looks for faults of memory, which the shapes of trees decide and not their numbers, and makes every law
// ten times slower: it sees one forest in four. A test that counts cases divides what it expects by this.
#if defined(__SANITIZE_ADDRESS__) // g++, for which Eigen defines an empty __has_feature
#define SWEEPDYN_TEST_ADDRESS_SANITIZER 1
#elif defined(__has_feature) // clang
#define SWEEPDYN_TEST_ADDRESS_SANITIZER __has_feature(address_sanitizer)
#else
#define SWEEPDYN_TEST_ADDRESS_SANITIZER 0
#endif
inline constexpr int forest_step = SWEEPDYN_TEST_ADDRESS_SANITIZER ? 4 : 1;

const std::vector<Case>& forest_cases();

// Every robot of models/, at two random states. None of them has a coupling or a hinge without inertia.
const std::vector<Case>& model_cases();

// f(case) for every hinge case, every forest and every robot.
template <class F> void for_every_case(F f)
{
    for (const Case& c : hinge_cases())
        f(c);
    for (const Case& c : forest_cases())
        f(c);
    for (const Case& c : model_cases())
        f(c);
}

} // namespace sweepdyn::test
