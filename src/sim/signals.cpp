#include "sweepdyn/sim/signals.hpp"

#include <algorithm>
#include <cmath>

#include "sweepdyn/dynamics/energy.hpp"
#include "sweepdyn/dynamics/momentum.hpp"

namespace sweepdyn {
namespace {

// Whether each dof of a hinge turns, slides, or does what nobody has told.
enum class Way { turn, slide, unknown };
std::vector<Way> ways(const Hinge& hinge)
{
    using enum Way;
    switch (hinge.kind) {
    case HingeKind::weld: return {};
    case HingeKind::prismatic: return {slide};
    case HingeKind::cylindrical: return {turn, slide};
    case HingeKind::universal: return {turn, turn};
    case HingeKind::planar: return {turn, slide, slide};
    case HingeKind::spherical: return {turn, turn, turn};
    case HingeKind::free: return {turn, turn, turn, slide, slide, slide};
    case HingeKind::user: {
        std::vector<Way> out;
        for (const HingeStep& step : hinge.steps)
            out.push_back(step.motion == HingeStep::Motion::slide ? slide : turn);
        out.resize(static_cast<std::size_t>(num_dofs(hinge)), unknown);
        return out;
    }
    default: return {turn};
    }
}

std::vector<std::string> units_of_dofs(const Model& model, const char* turn, const char* slide)
{
    std::vector<std::string> out;
    for (const Hinge& hinge : model.hinges())
        for (Way way : ways(hinge))
            out.push_back(way == Way::turn ? turn : way == Way::slide ? slide : "");
    return out;
}

} // namespace

std::vector<std::string> coordinate_units(const Model& model)
{
    std::vector<std::string> out;
    for (const Hinge& hinge : model.hinges())
        if (has_quaternion(hinge)) {
            out.insert(out.end(), 4, "1");
            if (hinge.kind == HingeKind::free)
                out.insert(out.end(), 3, "m");
        } else
            for (Way way : ways(hinge))
                out.push_back(way == Way::turn ? "rad" : way == Way::slide ? "m" : "");
    return out;
}
std::vector<std::string> velocity_units(const Model& model) { return units_of_dofs(model, "rad/s", "m/s"); }
std::vector<std::string> force_units(const Model& model) { return units_of_dofs(model, "N m", "N"); }

// Names to signals.
class Signals::Reader {
public:
    Reader(const Model& model, const Grasp* grasp, Signals& out) : model_(model), grasp_(grasp), out_(out)
    {
        for (const Frame& frame : model.frames())
            frames_.push_back(frame.name);
    }

    void read(const std::string& name)
    {
        const std::size_t colon = name.find(':');
        const std::string head = name.substr(0, colon);
        const std::string what = colon == name.npos ? "" : name.substr(colon + 1);
        const bool bare = colon == name.npos;
        const auto dofs = model_.dof_names();
        if (head == "q" && !bare)
            named(Kind::q, head, what, coordinate_names(model_), coordinate_units(model_));
        else if (head == "v" && !bare)
            named(Kind::v, head, what, {dofs.begin(), dofs.end()}, velocity_units(model_));
        else if (head == "qdd" && !bare)
            named(Kind::qdd, head, what, {dofs.begin(), dofs.end()},
                  units_of_dofs(model_, "rad/s^2", "m/s^2"));
        else if (head == "T" && !bare)
            named(Kind::T, head, what, {dofs.begin(), dofs.end()}, force_units(model_));
        else if (head == "pose" && !bare)
            framed(Kind::pose, head, what, {".x", ".y", ".z", ".rx", ".ry", ".rz"}, "m", "rad");
        else if (head == "velocity" && !bare)
            framed(Kind::velocity, head, what, {".wx", ".wy", ".wz", ".vx", ".vy", ".vz"}, "rad/s", "m/s");
        else if (head == "energy")
            energy(what);
        else if (head == "momentum" && bare)
            parts(Kind::momentum, name, {".lx", ".ly", ".lz", ".px", ".py", ".pz"}, "kg m^2/s", "kg m/s");
        else if (head == "contact" && !bare && grasp_)
            contact(what);
        else if (head == "closure" && (grasp_ || !model_.loops().empty()))
            closure(what, bare);
        else if (head == "com" && bare)
            parts(Kind::com, name, {".x", ".y", ".z"}, "m", "m");
        else {
            if (head == "closure")
                throw UsageError("signal '" + name + "': model '" + model_.name() +
                                 "' has no loops, and there are no contacts");
            if (head == "contact" && !grasp_)
                throw UsageError("signal '" + name + "': there are no contacts");
            std::vector<std::string> known{"q:DOF",          "v:DOF",  "qdd:DOF",  "T:DOF", "pose:FRAME",
                                           "velocity:FRAME", "energy", "momentum", "com"};
            if (grasp_ || !model_.loops().empty())
                known.insert(known.end(), {"closure", grasp_ ? "closure:NAME" : "closure:LOOP"});
            if (grasp_)
                known.push_back("contact:NAME");
            throw UsageError(unknown_name("signal", name, known));
        }
    }

private:
    static bool fits(std::string_view pattern, std::string_view name)
    {
        const std::size_t star = pattern.find('*');
        if (star == pattern.npos)
            return pattern == name;
        const std::string_view head = pattern.substr(0, star), rest = pattern.substr(star + 1);
        if (!name.starts_with(head))
            return false;
        for (std::size_t i = head.size(); i <= name.size(); ++i)
            if (fits(rest, name.substr(i)))
                return true;
        return false;
    }
    std::vector<int> matches(const std::string& head, const std::string& pattern,
                             const std::vector<std::string>& names) const
    {
        std::vector<int> out;
        for (std::size_t i = 0; i < names.size(); ++i)
            if (fits(pattern, names[i]))
                out.push_back(static_cast<int>(i));
        if (out.empty() && pattern != "*")
            throw UsageError("signal '" + head + ":" + pattern + "': " +
                             unknown_name(head == "pose" || head == "velocity" ? "frame"
                                          : head == "closure"                  ? closed_things()
                                          : head == "contact"                  ? "contact"
                                                                               : "dof",
                                          pattern, names));
        return out;
    }

    void add(Kind kind, int index, int component, const std::string& name, const std::string& unit)
    {
        const bool there = std::any_of(out_.columns_.begin(), out_.columns_.end(),
                                       [&](const Column& column) { return column.name == name; });
        if (there)
            return;
        out_.signals_.push_back({kind, index, component});
        out_.columns_.push_back({name, unit});
    }
    void named(Kind kind, const std::string& head, const std::string& what,
               const std::vector<std::string>& names, const std::vector<std::string>& units)
    {
        for (int i : matches(head, what, names))
            add(kind, i, 0, head + ":" + names[static_cast<std::size_t>(i)],
                units[static_cast<std::size_t>(i)]);
    }
    void framed(Kind kind, const std::string& head, const std::string& what,
                std::initializer_list<const char*> endings, const char* first, const char* second)
    {
        for (int i : matches(head, what, frames_))
            parts(kind, head + ":" + frames_[static_cast<std::size_t>(i)], endings, first, second, i);
    }
    void parts(Kind kind, const std::string& name, std::initializer_list<const char*> endings,
               const char* first, const char* second, int index = 0)
    {
        int component = 0;
        for (const char* ending : endings) {
            add(kind, index, component, name + ending, component < 3 ? first : second);
            ++component;
        }
    }
    void energy(const std::string& what)
    {
        static const std::vector<std::string> kinds{"kinetic", "potential", "total"};
        const std::string wanted = what.empty() ? "*" : what;
        for (int i : matches("energy", wanted, kinds))
            add(Kind::energy, i, i, "energy:" + kinds[static_cast<std::size_t>(i)], "J");
    }

    std::vector<std::string> contact_names() const
    {
        std::vector<std::string> names;
        if (grasp_)
            for (const Contact& one : grasp_->contacts())
                names.push_back(one.name);
        return names;
    }
    const char* closed_things() const
    {
        return !grasp_ ? "loop" : model_.loops().empty() ? "contact" : "loop or contact";
    }
    void contact(const std::string& what)
    {
        const std::vector<std::string> names = contact_names();
        for (int i : matches("contact", what, names))
            parts(Kind::contact, "contact:" + names[static_cast<std::size_t>(i)],
                  {".normal", ".tangential", ".margin", ".unique"}, "N", "1", i);
    }

    void closure(const std::string& what, bool bare)
    {
        if (bare)
            return add(Kind::closure, -1, 0, "closure", "1");
        std::vector<std::string> names;
        for (const Loop& loop : model_.loops())
            names.push_back(loop.name);
        for (const std::string& contact : contact_names())
            names.push_back(contact);
        for (int i : matches("closure", what, names))
            add(Kind::closure, i, 0, "closure:" + names[static_cast<std::size_t>(i)], "1");
    }

    const Model& model_;
    const Grasp* grasp_;
    Signals& out_;
    std::vector<std::string> frames_;
};

Signals::Signals(const Model& model, std::span<const std::string> names, const Grasp* grasp)
    : columns_{{"time", "s"}},
      v_dot_(static_cast<std::size_t>(model.num_dofs()))
{
    Reader reader(model, grasp, *this);
    for (const std::string& name : names)
        reader.read(name);
}

// Where the mechanics leave forces open: under the internal forces with the largest common margin of those that are open together, of all, or,
// where the harder the contacts squeeze the larger it is, of those that press no harder than the solution at hand, or, if these keep no
// cones, than twice that, and so on.
static ContactState contact_at(Grasp& grasp, int i)
{
    if (!grasp.attached(i))
        return {};
    ContactState state = grasp.state(i);
    if (state.unique)
        return state;
    std::vector<int> group;
    for (const std::vector<int>& one : grasp.open_groups())
        if (std::find(one.begin(), one.end(), i) != one.end())
            group = one;
    Grasp::Feasibility feasible = grasp.feasibility(0.0, group);
    double most = 0.0;
    for (int k : group)
        most += norm(grasp.wrench(k).f);
    if (feasible.unlimited && most > 0.0)
        for (int doubled = 0; doubled < 60; ++doubled, most *= 2.0) {
            feasible = grasp.feasibility(most, group);
            if (feasible.margin >= 0.0)
                break;
        }
    state = contact_state(grasp.contacts()[static_cast<std::size_t>(i)],
                          feasible.wrench[static_cast<std::size_t>(i)]);
    state.unique = false;
    return state;
}

void Signals::evaluate(Plant& plant, const Instant& at, std::span<double> row)
{
    require_size("Signals::evaluate", "row", row.size(), columns_.size());
    z_dot_.resize(at.z.size()); // once
    plant.acceleration(at.t, at.q, at.v, v_dot_, at.z, z_dot_);
    const Kinematics<double>& kin = plant.kinematics();
    row[0] = at.t;
    Kind last = Kind::q;
    int last_index = -1;
    double parts[6] = {};
    for (std::size_t i = 0; i < signals_.size(); ++i) {
        const auto& [kind, index, component] = signals_[i];
        const bool anew = kind != last || index != last_index; // the parts of one quantity stand side by side
        last = kind, last_index = index;
        const auto set = [&](const Vec3<double>& a, const Vec3<double>& b) {
            parts[0] = a.x, parts[1] = a.y, parts[2] = a.z, parts[3] = b.x, parts[4] = b.y, parts[5] = b.z;
        };
        const auto at_index = static_cast<std::size_t>(index);
        double& out = row[i + 1];
        switch (kind) {
        case Kind::q: out = at.q[at_index]; continue;
        case Kind::v: out = at.v[at_index]; continue;
        case Kind::qdd: out = v_dot_[at_index]; continue;
        case Kind::T: out = plant.T()[at_index]; continue;
        case Kind::closure: out = index < 0 ? plant.largest_gap() : plant.gap(index).part; continue;
        case Kind::energy:
            out =
                (component != 1 ? kinetic_energy(kin) : 0.0) + (component != 0 ? potential_energy(kin) : 0.0);
            continue;
        case Kind::pose:
            if (anew) {
                const Pose<double> X = frame_pose(kin, FrameId{index});
                set(X.p, log_rotation(X.R));
            }
            break;
        case Kind::velocity:
            if (anew) {
                const Motion<double> V = frame_velocity(kin, FrameId{index});
                set(V.w, V.v);
            }
            break;
        case Kind::momentum:
            if (anew) {
                const Force<double> h = momentum_about_com(kin);
                set(h.n, h.f);
            }
            break;
        case Kind::contact:
            if (anew) {
                const ContactState state = contact_at(*plant.grasp(), index);
                set({state.normal, state.tangential, std::isfinite(state.margin) ? state.margin : 0.0},
                    {state.unique ? 1.0 : 0.0, 0.0, 0.0});
            }
            break;
        case Kind::com:
            if (anew)
                set(center_of_mass(kin), {});
        }
        out = parts[component];
    }
}

} // namespace sweepdyn
