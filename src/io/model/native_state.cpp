// What a native file says besides the model: a state, forces, and which dofs are independent.
#include <algorithm>
#include <cmath>

#include "native_json.hpp"
#include "sweepdyn/io/model/native.hpp"
#include "sweepdyn/model/configuration.hpp"

namespace sweepdyn {
namespace native {
namespace {

// The file counts bodies and dofs in its own order, which the model may have changed.
class StateReader {
public:
    StateReader(const Model& model, const Value& top) : model_(model), top_(top) {}

    std::optional<NativeState> read()
    {
        if (std::none_of(state_keys.begin(), state_keys.end(),
                         [&](std::string_view key) { return top_.has(std::string(key)); }))
            return std::nullopt;
        if (!read_order())
            return std::nullopt;
        NativeState out;
        if (const auto state = top_.find("state"); state && state->require_object()) {
            state->know_keys({"q", "v"});
            if (const auto q = state->find("q"))
                out.q = coordinates(*q);
            if (const auto v = state->find("v"))
                out.v = per_dof(*v);
        }
        if (const auto tau = top_.find("tau"))
            out.tau = per_dof(*tau);
        for (auto [key, dofs] : {std::pair{"independent_velocity", &out.independent_velocity},
                                 {"independent_position", &out.independent_position}})
            if (const auto list = top_.find(key))
                *dofs = dofs_of(*list);
        return out;
    }

private:
    // Which of the model's bodies stands at each place of the file; ground for one that was merged away.
    bool read_order()
    {
        const auto bodies = top_.need("bodies", "a list of objects");
        const auto list = bodies ? bodies->list("objects") : std::nullopt;
        if (!list)
            return false;
        for (const Value& body : *list) {
            const auto name = body.require_object() ? body.need("name", "a text") : std::nullopt;
            const auto text = name ? name->text() : std::nullopt;
            if (!text)
                return false;
            const auto found = std::find_if(model_.bodies().begin(), model_.bodies().end(),
                                            [&](const Body& other) { return other.name == *text; });
            body_at_.push_back(
                found == model_.bodies().end() ? ground : static_cast<int>(found - model_.bodies().begin()));
            if (body_at_.back() != ground)
                for (Index j : model_.tree().dofs(body_at_.back()))
                    dof_at_.push_back(static_cast<int>(j));
        }
        return true;
    }

    std::optional<std::vector<double>> coordinates(const Value& value)
    {
        const auto entries = value.list("coordinates, one entry per body");
        if (!entries)
            return std::nullopt;
        if (entries->size() != body_at_.size()) {
            value.refuse(std::to_string(body_at_.size()) + " entries, one per body");
            return std::nullopt;
        }
        std::vector<double> q(static_cast<std::size_t>(model_.num_coordinates()));
        neutral(model_, std::span<double>(q));
        for (std::size_t i = 0; i < entries->size(); ++i) {
            const int k = body_at_[i];
            if (k == ground) {
                if (!(*entries)[i].numbers(0, "an empty list: the body is merged with another"))
                    return std::nullopt;
            } else if (const auto numbers =
                           entry((*entries)[i], model_.hinges()[static_cast<std::size_t>(k)]))
                std::copy(numbers->begin(), numbers->end(),
                          q.begin() + model_.tree().first_coordinate[static_cast<std::size_t>(k)]);
        }
        return q;
    }

    // [q ...] of one hinge, or {"quat_wxyz", "position"}.
    std::optional<std::vector<double>> entry(const Value& value, const Hinge& hinge)
    {
        const auto count = static_cast<std::size_t>(num_coordinates(hinge));
        const std::string of =
            " of hinge " + detail::quoted(hinge.name) + " (" + std::string(name(hinge.kind)) + ")";
        const bool turns = has_quaternion(hinge);
        if (!turns)
            return value.numbers(count, std::to_string(count) + (count == 1 ? " number" : " numbers") + of);
        if (value.is_list())
            return unit(value, value.numbers(count, std::to_string(count) + " numbers" + of), of);
        if (!value.require_object())
            return std::nullopt;
        value.know_keys({"quat_wxyz", "position"});
        const auto quat = value.need("quat_wxyz", "4 numbers");
        auto out = quat ? unit(*quat, quat->numbers(4, "4 numbers, w x y z"), of) : std::nullopt;
        if (hinge.kind == HingeKind::free) {
            const auto position = value.need("position", "3 numbers");
            const auto p = position ? position->vector() : std::nullopt;
            if (!p)
                return std::nullopt;
            if (out)
                out->insert(out->end(), {p->x, p->y, p->z});
        }
        return out;
    }
    // The first four numbers are a unit quaternion, or as good as one.
    static std::optional<std::vector<double>> unit(const Value& value, std::optional<std::vector<double>> q,
                                                   const std::string& of)
    {
        if (!q)
            return std::nullopt;
        const double length = std::hypot(std::hypot((*q)[0], (*q)[1]), std::hypot((*q)[2], (*q)[3]));
        if (!(std::abs(length - 1.0) <= 1e-6)) {
            value.fault("the quaternion" + of + " has length " + number_text(length) +
                        ", expected 1 (within 1e-6), in the order w x y z");
            return std::nullopt;
        }
        for (std::size_t i = 0; i < 4; ++i)
            (*q)[i] /= length;
        return q;
    }

    std::optional<std::vector<double>> per_dof(const Value& value)
    {
        const auto numbers = value.numbers(dof_at_.size(), count_text());
        if (!numbers)
            return std::nullopt;
        std::vector<double> out(static_cast<std::size_t>(model_.num_dofs()));
        for (std::size_t i = 0; i < numbers->size(); ++i)
            out[static_cast<std::size_t>(dof_at_[i])] = (*numbers)[i];
        return out;
    }
    std::string count_text() const { return std::to_string(dof_at_.size()) + " numbers, one per dof"; }

    std::optional<std::vector<int>> dofs_of(const Value& value)
    {
        std::vector<std::string> names;
        for (int j : dof_at_)
            names.push_back(model_.dof_names()[static_cast<std::size_t>(j)]);
        const auto places = read_dofs(value, names);
        if (!places)
            return std::nullopt;
        std::vector<int> out;
        for (std::size_t place : *places)
            out.push_back(dof_at_[place]);
        return out;
    }

    const Model& model_;
    const Value& top_;
    std::vector<int> body_at_, dof_at_;
};

} // namespace
} // namespace native

std::optional<NativeState> read_native_state(const Model& model, std::string_view text,
                                             std::string_view source_name)
{
    const std::string source(source_name);
    native::Report report;
    const auto json = native::parse_json(text, report);
    std::optional<NativeState> out;
    if (json) {
        const native::Value top(*json, "", report);
        if (top.require_object())
            out = native::StateReader(model, top).read();
    }
    if (!report.faults.empty())
        throw ModelError(source, report.faults);
    return out;
}

} // namespace sweepdyn
