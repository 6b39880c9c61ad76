#include "sweepdyn/io/results/frequency_response.hpp"

#include "to_json.hpp"

namespace sweepdyn {
using results::OrderedJson;
using results::ToJson;

BodeDiagram bode_diagram(const StateSpace& system, std::span<const double> hz,
                         std::vector<std::pair<int, int>> pairs)
{
    if (pairs.empty())
        for (int j = 0; j < system.num_inputs(); ++j)
            for (int i = 0; i < system.num_outputs(); ++i)
                pairs.emplace_back(j, i);
    BodeDiagram out;
    std::vector<Bode> curves;
    const FrequencyResponse response = frequency_response(system, hz);
    for (const auto& [j, i] : pairs) {
        Channel channel{system.inputs[static_cast<std::size_t>(j)],
                        system.outputs[static_cast<std::size_t>(i)], transfer_function(system, i, j)};
        if (channel.G.gain == 0.0) {
            out.silent.push_back(channel.output + "/" + channel.input);
            continue;
        }
        curves.push_back(bode(response, i, j));
        out.channels.push_back(std::move(channel));
    }
    if (curves.empty())
        throw RefusedError("bode: none of the inputs reaches any of the outputs; expected others");
    out.curves.columns.push_back({"frequency", "Hz"});
    for (const auto& [kind, unit] : {std::pair{"magnitude:", "dB"}, std::pair{"phase:", "deg"}})
        for (const Channel& channel : out.channels)
            out.curves.columns.push_back({kind + channel.output + "/" + channel.input, unit});
    for (std::size_t k = 0; k < hz.size(); ++k) {
        out.curves.values.push_back(hz[k]);
        for (const Bode& curve : curves)
            out.curves.values.push_back(curve.decibels[k]);
        for (const Bode& curve : curves)
            out.curves.values.push_back(curve.degrees[k]);
    }
    return out;
}

namespace {
OrderedJson pairs(const std::string& key, const std::vector<std::complex<double>>& numbers)
{
    OrderedJson out = OrderedJson::array();
    for (const std::complex<double>& s : numbers)
        out.push_back(ToJson{key}.list(std::vector{s.real(), s.imag()}));
    return out;
}
} // namespace

std::string write_bode(const BodeDiagram& diagram, const std::string& model)
{
    OrderedJson out, signals = OrderedJson::array(), channels = OrderedJson::array();
    for (std::size_t j = 0; j < diagram.curves.columns.size(); ++j) {
        const Column& column = diagram.curves.columns[j];
        OrderedJson signal, values = OrderedJson::array();
        for (std::size_t i = 0; i < diagram.curves.num_rows(); ++i)
            values.push_back(ToJson{column.name}(diagram.curves(i, j)));
        signal["name"] = column.name;
        signal["unit"] = column.unit;
        signal["values"] = std::move(values);
        signals.push_back(std::move(signal));
    }
    for (const Channel& channel : diagram.channels) {
        OrderedJson one;
        one["input"] = channel.input;
        one["output"] = channel.output;
        one["zeros"] = pairs("zeros", channel.G.zeros);
        one["poles"] = pairs("poles", channel.G.poles);
        one["gain"] = channel.G.gain;
        channels.push_back(std::move(one));
    }
    out["model"] = model;
    out["conventions"] = "sweepdyn-1";
    out["units"] = "SI";
    out["signals"] = std::move(signals);
    out["channels"] = std::move(channels);
    return results::json_text(out, false);
}

} // namespace sweepdyn
