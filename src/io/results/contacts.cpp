#include "sweepdyn/io/results/contacts.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <span>

#include "state_json.hpp"
#include "sweepdyn/io/results/state.hpp"
#include "sweepdyn/spatial/rotation.hpp"

namespace sweepdyn {
namespace {

using json::Json;
using json::shown;

constexpr std::array kinds{ContactKind::rigid,       ContactKind::line,         ContactKind::point,
                           ContactKind::soft_finger, ContactKind::frictionless, ContactKind::sliding};

// One contact; what it cannot read goes to the faults.
class Reading {
public:
    Reading(const Json& json, std::string name, std::vector<std::string>& faults)
        : json_(json),
          name_(std::move(name)),
          faults_(faults)
    {
    }

    void only(const Json& object, std::span<const std::string> known, const std::string& of)
    {
        for (const auto& [key, value] : object.items())
            if (std::find(known.begin(), known.end(), key) == known.end())
                faults_.push_back(name_ + ": " + unknown_name("key" + of, key, known));
    }
    std::string text(const char* key)
    {
        if (json_.contains(key) && json_[key].is_string())
            return json_[key].get<std::string>();
        fault(key, "the name of a frame");
        return {};
    }
    ContactKind kind()
    {
        std::vector<std::string> known;
        for (const ContactKind one : kinds)
            known.emplace_back(sweepdyn::name(one));
        if (!json_.contains("kind") || !json_["kind"].is_string())
            fault("kind", "rigid, line, point, soft_finger, frictionless or sliding");
        else {
            const std::string wanted = json_["kind"].get<std::string>();
            for (std::size_t i = 0; i < known.size(); ++i)
                if (known[i] == wanted)
                    return kinds[i];
            faults_.push_back(name_ + ": " + unknown_name("kind", wanted, known));
        }
        return ContactKind::point;
    }
    double number(const char* key, double otherwise)
    {
        if (!json_.contains(key))
            return otherwise;
        if (json_[key].is_number())
            return json_[key].get<double>();
        fault(key, "a number");
        return otherwise;
    }
    bool flag(const char* key)
    {
        if (!json_.contains(key))
            return false;
        if (json_[key].is_boolean())
            return json_[key].get<bool>();
        fault(key, "true or false");
        return false;
    }
    Vec3<double> vector(const Json& object, const char* key, bool direction)
    {
        const auto is_number = [](const Json& item) { return item.is_number(); };
        if (object.contains(key) && object[key].is_array() && object[key].size() == 3 &&
            std::all_of(object[key].begin(), object[key].end(), is_number)) {
            const Vec3<double> out{object[key][0], object[key][1], object[key][2]};
            const double size = norm(out);
            if (!direction)
                return out;
            if (size > 0.0 && std::isfinite(size))
                return 1.0 / size * out;
        }
        faults_.push_back(name_ + ": ground's " + key +
                          (object.contains(key) ? ": got " + shown(object[key]) : " is missing") +
                          (direction ? ", expected [x, y, z], not zero" : ", expected [x, y, z]"));
        return {0, 0, 1};
    }
    void fault(const std::string& key, const std::string& expected)
    {
        faults_.push_back(name_ + ": " + key +
                          (json_.contains(key) ? ": got " + shown(json_[key]) : " is missing") +
                          ", expected " + expected);
    }

private:
    const Json& json_;
    std::string name_;
    std::vector<std::string>& faults_;
};

} // namespace

ContactList read_contacts(std::string_view text, std::string_view where)
{
    const Json json = results::parse_state_json(text, where);
    if (!json.is_object() || !json.contains("contacts") || !json["contacts"].is_array())
        throw StateError(where, {"got " + shown(json) +
                                 R"(, expected {"contacts": [{"kind", "hand", "object", ...}, ...]})"});
    std::vector<std::string> faults;
    ContactList out;
    Reading(json, "contacts", faults).only(json, std::array<std::string, 2>{"contacts", "description"}, "");
    for (const Json& item : json["contacts"]) {
        Contact contact;
        contact.name = "contact" + std::to_string(out.contacts.size());
        if (item.is_object() && item.contains("name") && item["name"].is_string())
            contact.name = item["name"].get<std::string>();
        Reading reading(item, "contact '" + contact.name + "'", faults);
        if (!item.is_object()) {
            faults.push_back("contact '" + contact.name + "': got " + shown(item) +
                             R"(, expected {"kind", "hand", "object", ...})");
            continue;
        }
        reading.only(item,
                     std::array<std::string, 9>{"name", "kind", "hand", "object", "ground", "mu", "mu_spin",
                                                "length", "here"},
                     "");
        if (item.contains("name") && !item["name"].is_string())
            reading.fault("name", "a text");
        for (const Contact& other : out.contacts)
            if (other.name == contact.name)
                faults.push_back("contact '" + contact.name + "': there are two of this name");
        contact.kind = reading.kind();
        contact.hand = reading.text("hand");
        if (item.contains("ground") && item["ground"].is_object() && !item.contains("object")) {
            const Json& plane = item["ground"];
            reading.only(plane, std::array<std::string, 3>{"point", "normal", "along"}, " of ground");
            const Vec3<double> inward = -reading.vector(plane, "normal", true);
            contact.object = contact.name + " on the ground";
            Mat3<double> R = frame_with_z(inward);
            if (contact.kind == ContactKind::line || plane.contains("along")) { // x is the line
                const Vec3<double> along = reading.vector(plane, "along", true);
                const Vec3<double> x = along - dot(along, inward) * inward;
                if (norm(x) > 1e-6)
                    R = {(1.0 / norm(x)) * x, cross(inward, (1.0 / norm(x)) * x), inward};
                else if (plane.contains("along"))
                    reading.fault("ground", "\"along\" in the plane, not along its normal");
            }
            out.on_ground.push_back({contact.object, "", {R, reading.vector(plane, "point", false)}});
        } else if (item.contains("ground"))
            reading.fault("ground", R"({"point": [x, y, z], "normal": [x, y, z]} in the place of an object)");
        else
            contact.object = reading.text("object");
        contact.mu = reading.number("mu", contact.mu);
        contact.mu_spin = reading.number("mu_spin", contact.mu_spin);
        contact.length = reading.number("length", contact.length);
        out.here.push_back(reading.flag("here"));
        out.contacts.push_back(std::move(contact));
    }
    if (!faults.empty())
        throw StateError(where, faults);
    return out;
}

} // namespace sweepdyn
