// Riccati equations, sampling, poles and frequency responses beside SciPy's (control_oracle.py), and pole placement as well
// conditioned as its.
#include <fstream>

#include <nlohmann/json.hpp>

#include "support/linear.hpp"
#include "sweepdyn/control/pole_placement.hpp"
#include "sweepdyn/control/riccati.hpp"
#include "sweepdyn/linear/frequency_response.hpp"
#include "sweepdyn/linear/poles.hpp"
#include "sweepdyn/linear/zero_order_hold.hpp"

namespace sweepdyn::test {
namespace {

using Json = nlohmann::json;

const Json& oracle()
{
    static const Json all =
        Json::parse(std::ifstream(std::string(SWEEPDYN_TEST_DATA) + "/golden/control_oracle.json"));
    return all;
}
Matrix matrix_of(const Json& json)
{
    Matrix out(static_cast<int>(json.size()), static_cast<int>(json.at(0).size()));
    for (int i = 0; i < out.rows(); ++i)
        for (int j = 0; j < out.columns(); ++j)
            out(i, j) = json[static_cast<std::size_t>(i)][static_cast<std::size_t>(j)].get<double>();
    return out;
}
std::vector<std::complex<double>> complex_of(const Json& json)
{
    std::vector<std::complex<double>> out;
    for (const Json& pair : json)
        out.emplace_back(pair[0].get<double>(), pair[1].get<double>());
    return out;
}
StateSpace system_of(const Json& json)
{
    StateSpace out = named(matrix_of(json["A"]), matrix_of(json["B"]));
    if (json.contains("C")) {
        out.C = matrix_of(json["C"]);
        out.D = matrix_of(json["D"]);
        out.outputs.resize(static_cast<std::size_t>(out.C.rows()));
    }
    return out;
}

TEST(ControlOracle, Riccati)
{
    for (const Json& json : oracle()["systems"]) {
        const StateSpace system = system_of(json);
        const std::string where = std::to_string(system.num_states()) + " states";
        const Matrix Q = matrix_of(json["Q"]), R = matrix_of(json["R"]);
        const Riccati found = continuous_riccati(system.A, system.B, Q, R);
        expect_equal("continuous X", where, found.X, matrix_of(json["X"]), {.tolerance = 1e-9});
        expect_equal("continuous K", where, found.K, matrix_of(json["K"]), {.tolerance = 1e-9});
        const Riccati sampled = discrete_riccati(matrix_of(json["Ad"]), matrix_of(json["Bd"]), Q, R);
        expect_equal("discrete X", where, sampled.X, matrix_of(json["Y"]), {.tolerance = 1e-9});
        expect_equal("discrete K", where, sampled.K, matrix_of(json["Kd"]), {.tolerance = 1e-9});
        EXPECT_LT(found.residual, 1e-13) << where;
        EXPECT_LT(sampled.residual, 1e-13) << where;
    }
}

TEST(ControlOracle, SamplingAndPoles)
{
    for (const Json& json : oracle()["systems"]) {
        const StateSpace system = system_of(json);
        const std::string where = std::to_string(system.num_states()) + " states";
        const StateSpace sampled = zero_order_hold(system, json["h"].get<double>());
        expect_equal("Ad", where, sampled.A, matrix_of(json["Ad"]), {.tolerance = 1e-12});
        expect_equal("Bd", where, sampled.B, matrix_of(json["Bd"]), {.tolerance = 1e-12});
        EXPECT_LT(pole_distance(pole_values(system.A), complex_of(json["poles"])), 1e-10) << where;
    }
}

TEST(ControlOracle, FrequencyResponseAndZeros)
{
    for (const Json& json : oracle()["systems"]) {
        const StateSpace system = system_of(json);
        const std::string where = std::to_string(system.num_states()) + " states";
        const FrequencyResponse found =
            frequency_response(system, json["frequencies"].get<std::vector<double>>());
        for (int k = 0; k < 3; ++k) {
            const auto at = static_cast<std::size_t>(k);
            const Matrix re = matrix_of(json["response_re"][at]), im = matrix_of(json["response_im"][at]);
            MatrixXd got_re(re.rows(), re.columns()), got_im(got_re);
            for (int i = 0; i < re.rows(); ++i)
                for (int j = 0; j < re.columns(); ++j) {
                    got_re(i, j) = found.at(k, i, j).real();
                    got_im(i, j) = found.at(k, i, j).imag();
                }
            const double terms = std::max(largest(dense(re)), largest(dense(im)));
            expect_equal("real part", where, got_re, re, {.terms = terms, .tolerance = 1e-11});
            expect_equal("imaginary part", where, got_im, im, {.terms = terms, .tolerance = 1e-11});
        }
        const TransferFunction channel = transfer_function(system, 0, 0);
        EXPECT_LT(pole_distance(channel.zeros, complex_of(json["zeros"])), 1e-8) << where;
        EXPECT_NEAR(channel.gain, json["gain"].get<double>(), 1e-10 * std::abs(channel.gain)) << where;
    }
}

TEST(ControlOracle, PolePlacement)
{
    for (const Json& json : oracle()["placements"]) {
        const StateSpace system = system_of(json);
        const std::string where = std::to_string(system.num_states()) + " states";
        const auto wanted = complex_of(json["poles"]);
        const PlacedGain found = place_poles(system, wanted);
        EXPECT_LT(pole_distance(eigenvalues(dense(system.A) - dense(system.B) * dense(found.K)), wanted),
                  1e-10)
            << where;
        EXPECT_LT(pole_distance(found.closed_loop_poles, wanted), 1e-10) << where;
        EXPECT_LT(found.eigenvector_condition, 1.5 * json["condition"].get<double>()) << where;
    }
}

} // namespace
} // namespace sweepdyn::test
