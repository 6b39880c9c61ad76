// Laws of digits: depth, and distance from the world origin, may cost a few but not many. Errors are measured against
// long double about the hinge origins.
#include "support/compare.hpp"
#include "support/stages.hpp"

namespace sweepdyn::test {
namespace {

struct Errors {
    double inverse = 0.0, forward = 0.0, mass = 0.0; // worst over the states, relative to the largest entry
};

template <class S> std::vector<S> cast_numbers(const Numbers& a) { return {a.begin(), a.end()}; }

double relative(const Numbers& got, const std::vector<long double>& truth)
{
    long double error = 0, size = 0;
    for (std::size_t i = 0; i < got.size(); ++i) {
        error = worse(error, std::abs(got[i] - truth[i]));
        size = std::max(size, std::abs(truth[i]));
    }
    return static_cast<double>(error / size);
}

std::vector<Errors> errors(const Model& model, const std::vector<ReferenceChoice>& choices, int states)
{
    using L = long double;
    std::vector<Errors> worst(choices.size());
    for (int seed = 1; seed <= states; ++seed) {
        Case c = make_case(model, "", Place::random, static_cast<std::uint64_t>(seed));
        Random random(static_cast<std::uint64_t>(seed));
        if (seed % 2 == 0) // half of the states stretched out: there the levers are long
            c.q = random_numbers(random, model.num_coordinates(), 0.3);
        Stages<L> truth(model, by_hinges, cast_numbers<L>(c.q), cast_numbers<L>(c.v));
        const auto T = truth.inverse(cast_numbers<L>(c.a)), v_dot = truth.forward(cast_numbers<L>(c.T)),
                   M = truth.mass();
        for (std::size_t i = 0; i < choices.size(); ++i) {
            Stages<double> stages(model, choices[i], c.q, c.v);
            worst[i].inverse = worse(worst[i].inverse, relative(stages.inverse(c.a), T));
            worst[i].forward = worse(worst[i].forward, relative(stages.forward(c.T), v_dot));
            worst[i].mass = worse(worst[i].mass, relative(stages.mass(), M));
        }
    }
    return worst;
}

TEST(DeepChains, AutomaticReferenceKeepsTheDigits)
{
    std::vector<ReferenceChoice> choices = {by_hinges, automatic};
    for (int depth : {8, 16, 32, 64, 128})
        choices.push_back({"", Reference::pole, depth});
    choices.push_back(by_pole);
    std::printf("             worst errors against long double, 10 coiled and 10 stretched states\n");
    std::printf("%10s %-16s %10s %10s %10s   %s\n", "model", "reference", "ID", "FD", "M",
                "times hinges: ID, FD, M");
    for (int n : {64, 128, 256}) {
        const std::string spec = "chain:" + std::to_string(n);
        const auto worst = errors(*generate_model(spec), choices, 20);
        for (std::size_t i = 0; i < choices.size(); ++i) {
            const std::string name =
                choices[i].renewed ? "pole_depth " + std::to_string(choices[i].renewed) : choices[i].name;
            std::printf("%10s %-16s %10.1e %10.1e %10.1e   %.2g, %.2g, %.2g\n", spec.c_str(), name.c_str(),
                        worst[i].inverse, worst[i].forward, worst[i].mass,
                        worst[i].inverse / worst[0].inverse, worst[i].forward / worst[0].forward,
                        worst[i].mass / worst[0].mass);
        }
        // Looser than the rule because depth itself costs digits, in any form: the promise is the quotient.
        expect_equal("ID, 100 times the hinge form's", spec, worst[1].inverse, 0.0,
                     {.terms = worst[0].inverse, .tolerance = 100.0});
        expect_equal("FD, 100 times the hinge form's", spec, worst[1].forward, 0.0,
                     {.terms = worst[0].forward, .tolerance = 100.0});
        expect_equal("M, 100 times the hinge form's", spec, worst[1].mass, 0.0,
                     {.terms = worst[0].mass, .tolerance = 100.0});
    }
}

// Roots moved 1000 m off: what happens at the robot is the same, to the digits that its place has there.
TEST(DeepChains, FarFromTheWorldOrigin)
{
    for (const char* spec :
         {"chain:7", "tree:15", "random:10:1", "random:10:2", "random:10:3", "random:10:4"}) {
        const Model near = *generate_model(spec);
        ModelBuilder builder(near);
        for (Hinge& hinge : builder.hinges())
            if (hinge.parent.empty())
                hinge.X_PF.p +=
                    {600.0, -640.0, 480.0}; // 1000 m, in binary fractions where the near place is not
        const Model far = builder.build();
        for (int seed = 1; seed <= 5; ++seed) {
            const Case c = make_case(near, spec, Place::random, static_cast<std::uint64_t>(seed));
            for (const ReferenceChoice& choice : reference_choices) {
                Stages<double> here(near, choice, c.q, c.v), there(far, choice, c.q, c.v);
                const double condition = condition_of(mass_of(here));
                const std::string where = c.where + ", 1000 m off, by " + choice.name;
                // A place 1000 m off is known to 1000 eps m, so levers of 0.3 m to 1000 / 0.3 eps: the rule, for that.
                const double place = 1000.0 / 0.3;
                expect_equal("T", where, there.inverse(c.a), here.inverse(c.a), {.condition = place});
                expect_equal("M", where, there.mass(), here.mass(), {.condition = place});
                expect_equal("v_dot", where, there.forward(c.T), here.forward(c.T),
                             {.condition = place + condition});
            }
        }
    }
}

} // namespace
} // namespace sweepdyn::test
