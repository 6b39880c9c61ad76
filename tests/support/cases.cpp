#include "support/cases.hpp"

#include <algorithm>
#include <filesystem>

#include "support/user_hinges.hpp"
#include "sweepdyn/io/model/load.hpp"
#include "sweepdyn/model/configuration.hpp"

namespace sweepdyn::test {

Numbers random_numbers(Random& random, int count, double size)
{
    Numbers out;
    for (int i = 0; i < count; ++i)
        out.push_back(random.uniform(-size, size));
    return out;
}

Case make_case(const Model& model, const std::string& name, Place place, std::uint64_t seed)
{
    static const char* const names[] = {"neutral", "1e-8 from neutral", "random"};
    Random random(seed);
    const int n = model.num_dofs();
    Case out{model,
             name + ", " + names[static_cast<int>(place)],
             Numbers(static_cast<std::size_t>(model.num_coordinates())),
             {},
             {},
             {},
             {}};
    neutral(model, out.q);
    if (place == Place::near_neutral)
        integrate<double>(model, out.q, random_numbers(random, n, 1e-8), out.q);
    if (place == Place::random)
        random_configuration(model, seed, out.q);
    out.v = random_numbers(random, n, 1.0);
    out.a = random_numbers(random, n, 2.0);
    out.T = random_numbers(random, n, 10.0);
    for (int k = 0; k < model.num_bodies(); ++k)
        out.wrench.push_back({random.vector(5.0), random.vector(5.0)});
    return out;
}

Body random_body(Random& random, const std::string& name)
{
    const double m = random.uniform(0.5, 3.0), a = random.uniform(0.1, 0.4), b = random.uniform(0.1, 0.4),
                 c = random.uniform(0.1, 0.4);
    const Sym3<double> box = (m / 12) * Sym3<double>::diagonal(b * b + c * c, a * a + c * c, a * a + b * b);
    return {name, m, random.vector(0.2), rotate(random.rotation(), box)};
}

Hinge random_hinge(Random& random, HingeKind kind, const std::string& parent, const std::string& child)
{
    Hinge hinge;
    hinge.name = child + "_hinge";
    hinge.kind = kind;
    hinge.parent = parent;
    hinge.child = child;
    hinge.X_PF = {random.rotation(), random.vector(0.4)};
    if (kind != HingeKind::free || !parent.empty()) // a floating base is placed by its body frame
        hinge.X_CM = {random.rotation(), random.vector(0.2)};
    hinge.axis = random.direction();
    do
        hinge.axis2 = random.direction();
    while (norm(cross(hinge.axis, hinge.axis2)) < 0.5);
    hinge.pitch = 0.13;
    return hinge;
}

const std::vector<HingeCase>& hinge_kinds()
{
    static const std::vector<HingeCase> kinds = [] {
        std::vector<HingeCase> out;
        for (int kind = 0; kind < static_cast<int>(HingeKind::user); ++kind)
            out.push_back({std::string(name(static_cast<HingeKind>(kind))), static_cast<HingeKind>(kind)});
        Random random(11);
        std::vector<HingeStep> steps;
        for (auto motion : {HingeStep::Motion::turn, HingeStep::Motion::screw, HingeStep::Motion::slide,
                            HingeStep::Motion::turn})
            steps.push_back({motion, random.direction(), 0.2, {random.rotation(), random.vector(0.3)}});
        out.push_back({"user by steps", HingeKind::user, steps});
        out.push_back(
            {"user by functions, 1 dof", HingeKind::user, {}, user_hinge("pin on ellipse", PinOnEllipse{})});
        out.push_back(
            {"user by functions, 2 dofs", HingeKind::user, {}, user_hinge("saddle rider", SaddleRider{})});
        return out;
    }();
    return kinds;
}

Model hinge_model(const HingeCase& which, bool alone, bool armature)
{
    Random random(7 + static_cast<std::uint64_t>(which.kind));
    ModelBuilder builder(which.name + (alone ? " alone" : " mid-chain") + (armature ? ", armature" : ""));
    builder.set_gravity({1.5, -2.0, -9.0});
    if (!alone)
        builder.add_body(random_body(random, "root"))
            .add_hinge(random_hinge(random, HingeKind::revolute, "", "root"));
    Hinge hinge = random_hinge(random, which.kind, alone ? "" : "root", "middle");
    hinge.steps = which.steps;
    hinge.user = which.user;
    builder.add_body(random_body(random, "middle")).add_hinge(hinge);
    if (!alone) {
        builder.add_body(random_body(random, "left"))
            .add_hinge(random_hinge(random, HingeKind::prismatic, "middle", "left"));
        builder.add_body(random_body(random, "right"))
            .add_hinge(random_hinge(random, HingeKind::revolute, "middle", "right"));
    }
    builder.add_frame({"tool", "middle", {random.rotation(), random.vector(0.3)}});
    if (armature)
        for (Hinge& each : builder.hinges())
            for (int i = 0; i < num_dofs(each); ++i)
                each.armature.push_back(random.uniform(0.05, 0.5));
    return builder.build();
}

const std::vector<Case>& hinge_cases()
{
    static const std::vector<Case> cases = [] {
        std::vector<Case> out;
        std::uint64_t seed = 100;
        for (const HingeCase& which : hinge_kinds())
            for (bool alone : {true, false})
                for (bool armature : {false, true}) {
                    const Model model = hinge_model(which, alone, armature);
                    for (Place place : {Place::neutral, Place::near_neutral, Place::random, Place::random})
                        out.push_back(make_case(model, model.name(), place, ++seed));
                }
        return out;
    }();
    return cases;
}

Model deep_chain(int bodies, int seed)
{
    ModelBuilder builder(*generate_model("random:" + std::to_string(bodies) + ":" + std::to_string(seed)));
    builder.set_name("deep chain " + std::to_string(bodies) + ":" + std::to_string(seed));
    for (int k = 1; k < bodies; ++k)
        builder.hinges()[static_cast<std::size_t>(k)].parent =
            builder.bodies()[static_cast<std::size_t>(k - 1)].name;
    return builder.build();
}

const std::vector<Case>& forest_cases()
{
    static const std::vector<Case> cases = [] {
        std::vector<Case> out;
        for (int seed = 1; seed <= 200; seed += forest_step) {
            const std::string spec = "random:" + std::to_string(1 + seed % 20) + ":" + std::to_string(seed);
            out.push_back(
                make_case(*generate_model(spec), spec, Place::random, static_cast<std::uint64_t>(seed)));
        }
        for (int seed = 1; seed <= 3; ++seed) {
            const Model model = deep_chain(40, seed);
            out.push_back(make_case(model, model.name(), Place::random, static_cast<std::uint64_t>(seed)));
        }
        return out;
    }();
    return cases;
}

const std::vector<Case>& model_cases()
{
    static const std::vector<Case> cases = [] {
        std::vector<std::string> files;
        for (const auto& file : std::filesystem::directory_iterator(SWEEPDYN_MODELS))
            if (file.path().extension() == ".urdf" || file.path().extension() == ".json")
                files.push_back(file.path().string());
        std::sort(files.begin(), files.end()); // the same seeds on every machine
        std::vector<Case> out;
        std::uint64_t seed = 300;
        for (const std::string& file : files) {
            const Model model = load_model(file);
            for (int state = 0; state < 2; ++state)
                out.push_back(make_case(model, model.name(), Place::random, ++seed));
        }
        return out;
    }();
    return cases;
}

} // namespace sweepdyn::test
