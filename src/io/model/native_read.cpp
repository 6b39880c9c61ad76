#include <algorithm>
#include <cmath>

#include "native_reader.hpp"
#include "native_shape.hpp"

namespace sweepdyn::native {

bool Reader::read(const Value& top)
{
    if (!top.require_object())
        return false;
    if (const auto value = top.find("format")) {
        const std::string expected = "\"" + std::string(format) + "\"";
        if (const std::string* got = value->if_text(); !got || *got != format) {
            value->refuse(expected); // another version has other rules: nothing else can be judged
            return false;
        }
    } else if (!top.has("bodies") || !top.has("hinges")) {
        top.need("format", "\"" + std::string(format) + "\", or at least bodies and hinges");
        return false;
    }
    know_top_keys(top);
    std::string beside;
    for (std::string_view key : state_keys)
        if (top.has(std::string(key)))
            beside.append(beside.empty() ? "" : ", ").append(key);
    if (!beside.empty())
        report_.notes.push_back({Note::Kind::remark, "beside the model the file carries: " + beside});
    if (const auto value = top.find("name"))
        if (const auto name = value->text())
            builder_.set_name(*name);
    if (const auto value = top.find("gravity")) {
        if (const auto gravity = value->vector())
            builder_.set_gravity(*gravity);
    } else
        report_.notes.push_back({Note::Kind::remark, "gravity is not given: it is [0, 0, -9.81]"});

    const auto each = [&](const std::string& key, bool needed, auto&& read_one) {
        const auto value = needed ? top.need(key, "a list of objects") : top.find(key);
        const auto list = value ? value->list("objects") : std::nullopt;
        tree_is_whole_ = tree_is_whole_ && (!needed || list);
        for (std::size_t i = 0; list && i < list->size(); ++i)
            read_one((*list)[i], i);
    };
    each("bodies", true, [&](const Value& value, std::size_t i) {
        builder_.add_body(read_body(value, i));
        names_.push_back(builder_.bodies().back().name);
        body_of_.emplace(names_.back(), i);
    });
    each("hinges", true, [&](const Value& value, std::size_t) { read_hinge(value); });
    if (const auto value = top.find("actuated"); value && report_.faults.empty()) // else dofs may be missing
        read_actuated(*value);
    each("frames", false, [&](const Value& value, std::size_t) { read_frame(value); });
    each("loops", false, [&](const Value& value, std::size_t i) { read_loop(value, i); });
    return tree_is_whole_;
}

// Here people keep what is theirs: a doubt, unless it is like a key that is missing.
void Reader::know_top_keys(const Value& top)
{
    static const std::vector<std::string> known{"format",
                                                "name",
                                                "description",
                                                "gravity",
                                                "bodies",
                                                "hinges",
                                                "frames",
                                                "loops",
                                                "actuated",
                                                "state",
                                                "tau",
                                                "independent_velocity",
                                                "independent_position"};
    static const std::vector<std::string> without_effect{"conventions", "outputs", "checks"};
    std::string passed_over;
    for (const std::string& key : top.keys()) {
        if (std::find(known.begin(), known.end(), key) != known.end())
            continue;
        if (std::find(without_effect.begin(), without_effect.end(), key) != without_effect.end())
            passed_over += (passed_over.empty() ? "" : ", ") + key;
        else if (const std::string near(nearest_name(key, known)); near.size() > 3 && !top.has(near))
            report_.faults.push_back(unknown_name("key", key, known));
        else
            top.doubt("unknown key " + detail::quoted(key) + " has no effect");
    }
    if (!passed_over.empty())
        top.remark("read but without effect: " + passed_over);
}

Body Reader::read_body(const Value& value, std::size_t place)
{
    Body body;
    body.name = value.path(); // until a better one is read, so that hinges can refer to it
    if (!value.require_object())
        return body;
    value.know_keys({"index", "name", "mass", "com", "inertia_com", "visuals", "collisions"});
    check_index(value, place);
    if (const auto name = value.need("name", "a text"))
        if (const auto text = name->text())
            take_name(*name, *text, body);
    if (const auto mass = value.expect("mass", "0"))
        body.mass = mass->number().value_or(0.0);
    const bool needs_inertia = body.mass != 0.0;
    if (const auto com = needs_inertia ? value.expect("com", "[0, 0, 0]") : value.find("com"))
        if (const auto vector = com->vector())
            body.com = *vector;
    if (const auto inertia =
            needs_inertia ? value.expect("inertia_com", "0, a point mass") : value.find("inertia_com"))
        if (const auto J = inertia->matrix()) {
            // Both halves stand in the file: equal, or as good as equal and averaged.
            const auto entry = [&](int i, int j) {
                const double a = (*J)(i, j), b = (*J)(j, i),
                             size = std::abs((*J)(i, i)) + std::abs((*J)(j, j));
                if (!(std::abs(a - b) <= 1e-9 * size))
                    inertia->fault("not symmetric: row " + std::to_string(i + 1) + ", column " +
                                   std::to_string(j + 1) + " is " + number_text(a) +
                                   ", across the diagonal stands " + number_text(b));
                return a == b ? a : 0.5 * a + 0.5 * b;
            };
            const double xy = entry(0, 1), xz = entry(0, 2), yz = entry(1, 2);
            body.inertia_com = {J->x.x, xy, xz, J->y.y, yz, J->z.z};
        }
    read_shapes(value, "visuals", body.visuals);
    read_shapes(value, "collisions", body.collisions);
    return body;
}

// A body without a name of its own keeps its path for one, so that hinges by index still find it.
void Reader::take_name(const Value& value, const std::string& name, Body& body)
{
    if (name.empty())
        value.refuse("a text that is not empty");
    else if (const auto first = body_of_.find(name); first != body_of_.end()) {
        value.fault(detail::quoted(name) + " is the name of bodies[" + std::to_string(first->second) +
                    "] already; give another");
        shared_names_.insert(name);
    } else
        body.name = name;
}

void Reader::read_shapes(const Value& body, const std::string& key, std::vector<Shape>& shapes)
{
    const auto value = body.find(key);
    const auto list = value ? value->list("objects") : std::nullopt;
    for (std::size_t i = 0; list && i < list->size(); ++i) {
        const Value& item = (*list)[i];
        if (!item.require_object())
            continue;
        item.know_keys({"shape", "size", "rotation", "position", "color", "file", "name"});
        const std::string_view expected = "box, cylinder, sphere, capsule or mesh";
        const auto kind = item.need("shape", expected);
        const auto name = kind ? kind->text(expected) : std::nullopt;
        if (!name)
            continue;
        const auto* found = std::find_if(shape_kinds.begin(), shape_kinds.end(),
                                         [&](const ShapeKind& k) { return k.name == *name; });
        if (found == shape_kinds.end()) {
            kind->refuse(expected);
            continue;
        }
        Shape shape;
        shape.kind = found->kind;
        const bool is_mesh = shape.kind == Shape::Kind::mesh;
        if (const auto size = is_mesh ? item.find("size") : item.need("size", found->expected))
            shape.size = size->numbers(found->sizes, found->expected).value_or(std::vector<double>{});
        shape.X_BS = pose(item, "rotation", "position");
        if (const auto color = item.find("color"))
            shape.color = color->numbers(4, "4 numbers, r g b a").value_or(std::vector<double>{});
        if (const auto file = is_mesh ? item.need("file", "the name of a file") : item.find("file"))
            shape.file = file->text("the name of a file").value_or("");
        if (const auto text = item.find("name"))
            shape.name = text->text().value_or("");
        shapes.push_back(std::move(shape));
    }
}

void Reader::read_frame(const Value& value)
{
    if (!value.require_object())
        return;
    value.know_keys({"name", "body", "rotation", "position"});
    const auto name = value.need("name", "a text");
    const auto text = name ? name->text() : std::nullopt;
    const auto body = value.need("body", "a body or -1, the ground");
    const auto on = body ? body_name(*body) : std::nullopt;
    const Pose<double> X = pose(value, "rotation", "position");
    if (text && on)
        builder_.add_frame({*text, *on, X});
}

std::optional<std::string> Reader::body_name(const Value& value)
{
    const auto count = static_cast<std::int64_t>(names_.size());
    if (const std::string* text = value.if_text()) {
        if (shared_names_.contains(*text))
            tree_is_whole_ = false; // nobody knows which is meant
        if (body_of_.contains(*text))
            return *text;
        value.fault(unknown_name("body", *text, names_) +
                    (*text == "world" || *text == "ground" ? " (the ground is -1)" : ""));
        return std::nullopt;
    }
    if (const auto index = value.if_integer(); index && *index >= ground && *index < count)
        return *index == ground ? std::string() : names_[static_cast<std::size_t>(*index)];
    value.refuse("the name of a body, its index from 0 to " + std::to_string(count - 1) +
                 ", or -1, the ground");
    return std::nullopt;
}

Pose<double> Reader::pose(const Value& value, const std::string& rotation, const std::string& position)
{
    Pose<double> X;
    if (const auto R = value.find(rotation))
        X.R = R->matrix().value_or(X.R);
    if (const auto p = value.find(position))
        X.p = p->vector().value_or(X.p);
    return X;
}

void Reader::check_index(const Value& value, std::size_t place)
{
    if (const auto index = value.find("index"))
        if (const auto number = index->if_integer(); !number || *number != static_cast<std::int64_t>(place))
            index->refuse(std::to_string(place) + ", its place in the list");
}

} // namespace sweepdyn::native
