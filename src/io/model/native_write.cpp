#include <algorithm>
#include <cmath>

#include "native_json.hpp"
#include "native_shape.hpp"
#include "sweepdyn/io/model/native.hpp"

namespace sweepdyn {
namespace native {
namespace {

using Ordered = nlohmann::ordered_json;

// One key a line; a list of plain values on one line, so a matrix is a row a line.
void print(const Ordered& value, int indent, std::string& out)
{
    const auto new_line = [&](int depth) { out.append("\n").append(static_cast<std::size_t>(depth), ' '); };
    if (value.is_number_float()) {
        const double x = value.get<double>();
        out += x == 0.0 && std::signbit(x)
                   ? "-0.0"
                   : number_text(x); // -0 would be read as a whole number, without its sign
    } else if (value.is_object()) {
        out += '{';
        bool first = true;
        for (const auto& [key, item] : value.items()) {
            out += first ? "" : ",";
            new_line(indent + 1);
            out += Json(key).dump() + ": ";
            print(item, indent + 1, out);
            first = false;
        }
        new_line(indent);
        out += '}';
    } else if (value.is_array()) {
        const bool on_one_line = std::none_of(value.begin(), value.end(),
                                              [](const Ordered& item) { return item.is_structured(); });
        out += '[';
        for (std::size_t i = 0; i < value.size(); ++i) {
            out += i == 0 ? "" : on_one_line ? ", " : ",";
            if (!on_one_line)
                new_line(indent + 1);
            print(value[i], indent + 1, out);
        }
        if (!on_one_line)
            new_line(indent);
        out += ']';
    } else
        out += value.dump();
}

// Values of the file; collects what the format cannot say.
class Writer {
public:
    Ordered file(const Model& model);
    std::vector<std::string> faults;

private:
    Ordered body(const Body& body, int index);
    Ordered shapes(const std::string& where, const std::vector<Shape>& shapes);
    Ordered hinge(const Hinge& hinge);
    Ordered limits(const std::string& where, const Limits& limits);
    Ordered loop(const Loop& loop);
    void place(Ordered& object, const std::string& where, const std::string& suffix, const Pose<double>& X);

    Ordered number(const std::string& where, double x)
    {
        if (!std::isfinite(x))
            faults.push_back(where + " is " + number_text(x) + ", expected a finite number");
        return x;
    }
    Ordered list(const std::string& where, const std::vector<double>& numbers)
    {
        Ordered out = Ordered::array();
        for (double x : numbers)
            out.push_back(number(where, x));
        return out;
    }
    Ordered vector(const std::string& where, const Vec3<double>& a) { return list(where, {a.x, a.y, a.z}); }
    Ordered rows(const std::string& where, const Mat3<double>& A)
    {
        const Mat3<double> T = transpose(A);
        return Ordered::array({vector(where, T.x), vector(where, T.y), vector(where, T.z)});
    }
    Ordered text(const std::string& where, const std::string& text)
    {
        try {
            Json(text).dump();
        } catch (const Json::type_error&) {
            faults.push_back(
                where + " is not UTF-8: " + Json(text).dump(-1, ' ', true, Json::error_handler_t::replace));
        }
        return text;
    }
    Ordered reference(const std::string& where, const std::string& body)
    {
        return body.empty() ? Ordered(ground) : text(where, body);
    }
};

void Writer::place(Ordered& object, const std::string& where, const std::string& suffix,
                   const Pose<double>& X)
{
    object["rotation" + suffix] = rows(where + ": rotation", X.R);
    object["position" + suffix] = vector(where + ": position", X.p);
}

Ordered Writer::body(const Body& body, int index)
{
    const std::string where = "body " + detail::quoted(body.name);
    Ordered out;
    out["index"] = index;
    out["name"] = text(where + ": name", body.name);
    out["mass"] = number(where + ": mass", body.mass);
    out["com"] = vector(where + ": com", body.com);
    out["inertia_com"] = rows(where + ": inertia_com", body.inertia_com.full());
    if (!body.visuals.empty())
        out["visuals"] = shapes(where + ", visual", body.visuals);
    if (!body.collisions.empty())
        out["collisions"] = shapes(where + ", collision", body.collisions);
    return out;
}

Ordered Writer::shapes(const std::string& where, const std::vector<Shape>& shapes)
{
    Ordered out = Ordered::array();
    for (const Shape& shape : shapes) {
        const std::string here = where + " " + std::to_string(out.size() + 1);
        const ShapeKind& kind = row(shape.kind);
        const bool is_mesh = shape.kind == Shape::Kind::mesh;
        if (shape.size.size() != kind.sizes && !(is_mesh && shape.size.empty()))
            faults.push_back(here + " (" + std::string(kind.name) + "): size has " +
                             std::to_string(shape.size.size()) + " numbers, expected " +
                             std::string(kind.expected));
        if (!shape.color.empty() && shape.color.size() != 4)
            faults.push_back(here + ": color has " + std::to_string(shape.color.size()) +
                             " numbers, expected 4, r g b a");
        Ordered item;
        item["shape"] = kind.name;
        if (!shape.name.empty())
            item["name"] = text(here + ": name", shape.name);
        if (!shape.size.empty())
            item["size"] = list(here + ": size", shape.size);
        if (is_mesh || !shape.file.empty())
            item["file"] = text(here + ": file", shape.file);
        place(item, here, "", shape.X_BS);
        if (!shape.color.empty())
            item["color"] = list(here + ": color", shape.color);
        out.push_back(std::move(item));
    }
    return out;
}

Ordered Writer::hinge(const Hinge& hinge)
{
    const std::string where = "hinge " + detail::quoted(hinge.name);
    const HingeKind kind = hinge.kind;
    if (kind == HingeKind::user)
        faults.push_back(where + " is user-defined; the native file has no place for it");
    Ordered out;
    out["name"] = text(where + ": name", hinge.name);
    out["kind"] = name(kind);
    out["parent"] = reference(where + ": parent", hinge.parent);
    out["child"] = reference(where + ": child", hinge.child);
    place(out, where, "_in_parent", hinge.X_PF);
    if (!(hinge.X_CM == Pose<double>{}))
        place(out, where, "_in_child", hinge.X_CM);
    if (kind != HingeKind::weld && kind != HingeKind::spherical && kind != HingeKind::free)
        out["axis"] = vector(where + ": axis", hinge.axis);
    if (kind == HingeKind::universal)
        out["axis2"] = vector(where + ": axis2", hinge.axis2);
    if (kind == HingeKind::helical)
        out["pitch"] = number(where + ": pitch", hinge.pitch);
    Limits used = hinge.limits;
    if (kind == HingeKind::continuous) // a range would have no effect
        used.lower = used.upper = {};
    if (!(used == Limits{}))
        out["limits"] = limits(where, used);
    for (auto [key, numbers] :
         {std::pair{"armature", &hinge.armature}, {"damping", &hinge.damping}, {"friction", &hinge.friction}})
        if (std::any_of(numbers->begin(), numbers->end(),
                        [](double x) { return x != 0.0 || std::signbit(x); }))
            out[key] = list(where + ": " + key, *numbers);
    return out;
}

// Infinity is no limit, written as null.
Ordered Writer::limits(const std::string& where, const Limits& limits)
{
    Ordered out;
    const auto add = [&](const std::string& key, const std::vector<double>& numbers, double none) {
        if (numbers.empty())
            return;
        Ordered& items = out[key] = Ordered::array();
        for (double x : numbers)
            items.push_back(x == none ? Ordered() : number(where + ": limit " + key, x));
    };
    add("lower", limits.lower, -INFINITY);
    add("upper", limits.upper, INFINITY);
    add("velocity", limits.velocity, INFINITY);
    add("effort", limits.effort, INFINITY);
    return out;
}

Ordered Writer::loop(const Loop& loop)
{
    const std::string where = "loop " + detail::quoted(loop.name);
    Ordered out;
    out["name"] = text(where + ": name", loop.name);
    out["kind"] = name(loop.kind);
    if (loop.kind == LoopKind::coupling) {
        const bool linear = std::all_of(loop.terms.begin(), loop.terms.end(),
                                        [](const CouplingTerm& term) { return term.polynomial.size() == 1; });
        Ordered dofs = Ordered::array(), factors = Ordered::array();
        for (const CouplingTerm& term : loop.terms) {
            dofs.push_back(text(where, term.dof));
            const Ordered polynomial = list(where + ": coefficient", term.polynomial);
            factors.push_back(linear ? polynomial.front() : polynomial);
        }
        out["dofs"] = std::move(dofs);
        out[linear ? "coefficients" : "polynomials"] = std::move(factors);
        out["offset"] = number(where + ": offset", loop.offset);
        return out;
    }
    out["body_a"] = reference(where + ": body_a", loop.body_a);
    place(out, where + ", frame a", "_a", loop.X_Aa);
    out["body_b"] = reference(where + ": body_b", loop.body_b);
    place(out, where + ", frame b", "_b", loop.X_Bb);
    if (loop.kind == LoopKind::rows)
        for (LoopRow row : loop.rows)
            out["rows"].push_back(name(row));
    if (loop.kind == LoopKind::rolling_sphere || loop.kind == LoopKind::rolling_disc)
        out["radius"] = number(where + ": radius", loop.radius);
    return out;
}

Ordered Writer::file(const Model& model)
{
    Ordered out;
    out["format"] = format;
    out["name"] = text("the model's name", model.name());
    out["gravity"] = vector("gravity", model.gravity());
    for (const char* key : {"bodies", "hinges", "frames", "loops"})
        out[key] = Ordered::array();
    for (int k : model.tree().base_to_tip()) {
        out["bodies"].push_back(body(model.bodies()[k], k));
        out["hinges"].push_back(hinge(model.hinges()[k]));
    }
    // Frames of the bodies and of the ground go without saying.
    for (const Frame& frame : model.frames().subspan(static_cast<std::size_t>(model.num_bodies()))) {
        if (frame.name == "world" && frame.body.empty() && frame.X_BF == Pose<double>{})
            continue;
        const std::string where = "frame " + detail::quoted(frame.name);
        Ordered item;
        item["name"] = text(where + ": name", frame.name);
        item["body"] = reference(where + ": body", frame.body);
        place(item, where, "", frame.X_BF);
        out["frames"].push_back(std::move(item));
    }
    for (const Loop& one : model.loops())
        out["loops"].push_back(loop(one));
    if (const auto& actuated = model.actuated_dofs()) {
        out["actuated"] = Ordered::array();
        for (int j : *actuated)
            out["actuated"].push_back(text("a dof's name", model.dof_names()[static_cast<std::size_t>(j)]));
    }
    return out;
}

} // namespace
} // namespace native

std::string write_native(const Model& model)
{
    native::Writer writer;
    const auto file = writer.file(model);
    if (!writer.faults.empty())
        throw ModelError("model '" + model.name() + "' cannot be written as " + std::string(native::format),
                         writer.faults);
    std::string out;
    native::print(file, 0, out);
    return out + "\n";
}

} // namespace sweepdyn
