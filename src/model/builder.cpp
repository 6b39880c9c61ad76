#include "sweepdyn/model/builder.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <set>

#include "checks.hpp"
#include "loop_checks.hpp"

namespace sweepdyn {
namespace {

// Control characters as \xHH.
std::string visible(const std::string& name)
{
    constexpr const char* digits = "0123456789abcdef";
    std::string out;
    for (unsigned char c : name)
        if (c < 0x20 || c == 0x7f)
            out.append("\\x").append(1, digits[c >> 4]).append(1, digits[c & 15]);
        else
            out += static_cast<char>(c);
    return out;
}

// Names of one family must be there and differ.
template <class Items> void check_names(std::string_view what, const Items& items, Faults& faults)
{
    std::map<std::string, int> seen;
    for (const auto& item : items)
        ++seen[item.name];
    for (const auto& [name, count] : seen) {
        if (name.empty())
            faults.push_back("a " + std::string(what) + " has no name");
        else if (std::any_of(name.begin(), name.end(), [](unsigned char c) { return c < 0x20 || c == 0x7f; }))
            faults.push_back("a " + std::string(what) + " name has a control character: " +
                             quoted(visible(name)) + "; use letters that can be printed");
        if (count > 1 && !name.empty())
            faults.push_back(std::string(what) + " name " + quoted(visible(name)) + " is used " +
                             std::to_string(count) + " times");
    }
}

// Two dofs must not share a name, as those of a ball hinge named 'base' and of the floating base would.
void check_dof_names(const std::vector<std::string>& names, const std::vector<int>& hinge_of_dof,
                     const std::vector<Hinge>& hinges, Faults& faults)
{
    std::map<std::string, int> first;
    for (std::size_t j = 0; j < names.size(); ++j)
        if (const auto [seen, is_new] = first.emplace(names[j], hinge_of_dof[j]); !is_new)
            faults.push_back("dof name " + quoted(names[j]) + " is that of two: of hinge " +
                             quoted(hinges[seen->second].name) + " and of hinge " +
                             quoted(hinges[hinge_of_dof[j]].name) + "; rename one of the hinges");
}

// The order of the bodies: as given when parents come first, else depth first; the unreachable are in cycles.
std::vector<int> order_bodies(const std::vector<int>& parent, const std::vector<Body>& bodies, Faults& faults)
{
    const int n = static_cast<int>(parent.size());
    std::vector<int> order;
    bool sorted = true;
    for (int k = 0; k < n; ++k)
        sorted = sorted && parent[k] < k;
    if (sorted) {
        for (int k = 0; k < n; ++k)
            order.push_back(k);
        return order;
    }
    std::vector<std::vector<int>> children(static_cast<std::size_t>(n) + 1);
    for (int k = 0; k < n; ++k)
        children[static_cast<std::size_t>(parent[k] + 1)].push_back(k);
    std::vector<int> stack(children[0].rbegin(), children[0].rend());
    while (!stack.empty()) {
        const int k = stack.back();
        stack.pop_back();
        order.push_back(k);
        const auto& next = children[static_cast<std::size_t>(k) + 1];
        stack.insert(stack.end(), next.rbegin(), next.rend());
    }
    if (static_cast<int>(order.size()) < n) {
        const std::set<int> reached(order.begin(), order.end());
        std::string names;
        for (int k = 0; k < n; ++k)
            if (!reached.contains(k))
                names += (names.empty() ? "" : ", ") + quoted(bodies[k].name);
        faults.push_back("cycle: the bodies " + names + " hang on one another and not on the ground");
    }
    return order;
}

// Where one hinge says which dofs are actuated, those of a hinge that says nothing are not.
void complete_actuated(std::vector<Hinge>& hinges)
{
    if (std::any_of(hinges.begin(), hinges.end(), [](const Hinge& hinge) { return !hinge.actuated.empty(); }))
        for (Hinge& hinge : hinges)
            hinge.actuated.resize(static_cast<std::size_t>(num_dofs(hinge)), false);
}
std::optional<std::vector<int>> actuated_dofs(const std::vector<Hinge>& hinges)
{
    std::optional<std::vector<int>> out;
    int dof = 0;
    for (const Hinge& hinge : hinges) {
        if (!hinge.actuated.empty() && !out)
            out.emplace();
        for (std::size_t i = 0; i < hinge.actuated.size(); ++i)
            if (hinge.actuated[i])
                out->push_back(dof + static_cast<int>(i));
        dof += num_dofs(hinge);
    }
    return out;
}

template <class T> std::vector<T> permuted(const std::vector<T>& items, const std::vector<int>& order)
{
    std::vector<T> out;
    for (int i : order)
        out.push_back(items[static_cast<std::size_t>(i)]);
    return out;
}

} // namespace

ModelBuilder::ModelBuilder(const Model& model)
    : name_(model.name()),
      gravity_(model.gravity()),
      bodies_(model.bodies().begin(), model.bodies().end()),
      hinges_(model.hinges().begin(), model.hinges().end()),
      loops_(model.loops().begin(), model.loops().end())
{
    // Frames that follow from the bodies and the ground are made anew.
    for (const Frame& frame : model.frames().subspan(static_cast<std::size_t>(model.num_bodies())))
        if (!(frame.name == "world" && frame.body.empty() && frame.X_BF == Pose<double>{}))
            frames_.push_back(frame);
    for (const Note& note : model.notes())
        if (!note.derived)
            notes_.push_back(note);
}

Model ModelBuilder::build() const
{
    Faults faults = faults_;
    Notes notes; // those that follow from the numbers
    std::vector<Body> bodies = bodies_;
    std::vector<Hinge> hinges = hinges_;
    std::vector<Frame> frames = frames_;
    const int n = static_cast<int>(bodies.size());

    if (!is_finite(gravity_))
        faults.push_back("gravity is " + text(gravity_) + ", expected finite numbers");
    if (bodies.empty())
        faults.push_back("the model has no bodies");
    check_names("body", bodies, faults);
    std::map<std::string, int> body_index;
    std::vector<std::string> body_names;
    std::set<std::string> repeated;
    for (int k = 0; k < n; ++k) {
        if (!body_index.emplace(bodies[k].name, k).second)
            repeated.insert(bodies[k].name);
        body_names.push_back(bodies[k].name);
        check_body(bodies[k], faults, notes);
        check_shapes(bodies[k], faults);
    }
    for (Hinge& hinge : hinges) {
        if (hinge.name.empty())
            hinge.name = hinge.child;
        check_hinge(hinge, faults, notes);
    }
    check_names("hinge", hinges, faults);

    // Each body hangs on exactly one hinge.
    std::vector<int> hinge_of(n, -1), parent(n, ground);
    for (std::size_t i = 0; i < hinges.size(); ++i) {
        const Hinge& hinge = hinges[i];
        const std::string where = "hinge " + quoted(hinge.name);
        if (!hinge.parent.empty() && !body_index.contains(hinge.parent))
            faults.push_back(where + ", parent: " + unknown_name("body", hinge.parent, body_names));
        const auto child = body_index.find(hinge.child);
        if (child == body_index.end()) {
            faults.push_back(where + ", child: " + unknown_name("body", hinge.child, body_names));
            continue;
        }
        if (const int other = hinge_of[child->second]; other >= 0 && !repeated.contains(hinge.child))
            faults.push_back("body " + quoted(hinge.child) + " has two parents: by hinge " +
                             quoted(hinges[other].name) + " and by hinge " + quoted(hinge.name));
        hinge_of[child->second] = static_cast<int>(i);
        if (const auto p = body_index.find(hinge.parent); !hinge.parent.empty() && p != body_index.end())
            parent[child->second] = p->second;
    }
    for (int k = 0; k < n; ++k)
        if (hinge_of[k] < 0 && !repeated.contains(bodies[k].name))
            faults.push_back(
                "body " + quoted(bodies[k].name) +
                " hangs on no hinge: add one (a weld or a free hinge to the ground, if nothing else)");
    const std::vector<int> order = order_bodies(parent, bodies, faults);

    // Frames: the bodies' own, the ground's, then the others.
    for (const Frame& frame : frames) {
        if (!frame.body.empty() && !body_index.contains(frame.body))
            faults.push_back("frame " + quoted(frame.name) + ": " +
                             unknown_name("body", frame.body, body_names));
        if (body_index.contains(frame.name))
            faults.push_back("frame " + quoted(frame.name) + " has the name of a body");
    }
    for (Frame& frame : frames)
        check_pose("frame " + quoted(frame.name), frame.X_BF, faults);
    check_names("frame", frames, faults);
    std::vector<Loop> loops = loops_;
    for (std::size_t i = 0; i < loops.size(); ++i) {
        if (loops[i].name.empty())
            loops[i].name = "loop" + std::to_string(i);
        check_loop(loops[i], body_names, faults);
    }
    check_names("loop", loops, faults);
    const auto refuse_faults = [&] {
        const auto add_doubts = [&](const Notes& list) {
            for (const Note& note : list)
                if (note.kind == Note::Kind::doubt)
                    faults.push_back(note.text);
        };
        if (strict_)
            add_doubts(notes_), add_doubts(notes);
        if (!faults.empty())
            throw ModelError("model " + quoted(name_) + (strict_ ? " (strict)" : ""), faults);
    };
    if (!faults.empty())
        refuse_faults();

    auto data = std::make_shared<Model::Data>();
    data->name = name_;
    data->gravity = gravity_;
    data->bodies = permuted(bodies, order);
    data->hinges = permuted(hinges, permuted(hinge_of, order));
    complete_actuated(data->hinges);
    data->actuated_dofs = actuated_dofs(data->hinges);

    std::vector<int> place(n);
    for (int k = 0; k < n; ++k)
        place[order[k]] = k;
    Tree& tree = data->tree;
    tree.first_dof = tree.first_coordinate = {0};
    int free_roots = 0;
    for (int k = 0; k < n; ++k) {
        const Hinge& hinge = data->hinges[k];
        const int p = parent[order[k]] == ground ? ground : place[parent[order[k]]];
        tree.parent.push_back(p);
        tree.depth.push_back(p == ground ? 0 : tree.depth[p] + 1);
        tree.root.push_back(p == ground ? k : tree.root[p]);
        tree.first_dof.push_back(tree.first_dof.back() + num_dofs(hinge));
        tree.first_coordinate.push_back(tree.first_coordinate.back() + num_coordinates(hinge));
        tree.body_of_dof.insert(tree.body_of_dof.end(), static_cast<std::size_t>(num_dofs(hinge)), k);
        data->fixed.push_back(hinge.kind == HingeKind::weld && (p == ground || data->fixed[p]));
        if (p == ground && hinge.kind == HingeKind::free) {
            data->floating_base = k;
            ++free_roots;
        }
    }
    tree.is_leaf.assign(n, true);
    tree.is_last_child.assign(n, false);
    for (int k = n - 1; k >= 0; --k)
        if (const int p = tree.parent[k]; p != ground) {
            tree.is_last_child[k] = tree.is_leaf[p];
            tree.is_leaf[p] = false;
        }
    if (free_roots != 1)
        data->floating_base.reset();
    for (int k = 0; k < n; ++k)
        for (const std::string& suffix : dof_suffixes(data->hinges[k]))
            data->dof_names.push_back((data->floating_base == k ? "base" : data->hinges[k].name) + suffix);
    if (data->floating_base && !(data->hinges[*data->floating_base].X_CM == Pose<double>{}))
        faults.push_back("hinge " + quoted(data->hinges[*data->floating_base].name) +
                         ", placement in the child: a floating base is placed and moved by its body frame; "
                         "expected no placement in the child");
    check_dof_names(data->dof_names, tree.body_of_dof, data->hinges, faults);
    data->topology = check_loops(tree, data->bodies, data->hinges, data->dof_names, loops, faults, notes);
    data->loops = std::move(loops);

    for (const Body& body : data->bodies)
        data->frames.push_back({body.name, body.name, {}});
    if (!body_index.contains("world") &&
        std::none_of(frames.begin(), frames.end(), [](const Frame& f) { return f.name == "world"; }))
        data->frames.push_back({"world", "", {}});
    data->frames.insert(data->frames.end(), frames.begin(), frames.end());
    for (const Frame& frame : data->frames)
        data->frame_body.push_back(frame.body.empty() ? ground : place[body_index.at(frame.body)]);

    for (int k = 0; k < n; ++k) {
        const Body& body = data->bodies[k];
        if (data->fixed[k] || data->hinges[k].kind == HingeKind::weld)
            continue;
        if (body.mass == 0.0)
            notes.push_back({Note::Kind::doubt, "body " + quoted(body.name) + " has no mass"});
        else if (std::abs(body.inertia_com.trace()) <= 1e-12 * body.mass)
            notes.push_back(
                {Note::Kind::doubt, "body " + quoted(body.name) + " has mass but no inertia: a point mass"});
    }
    double total_mass = 0.0;
    for (const Body& body : data->bodies)
        total_mass += body.mass;
    if (!std::isfinite(total_mass))
        faults.push_back("the masses of the bodies sum up to more than a double can hold");
    for (std::size_t i = 0; i < data->frames.size(); ++i)
        if (const int k = data->frame_body[i];
            data->frames[i].name == "world" && k != ground && !data->fixed[k])
            notes.push_back(
                {Note::Kind::remark, (i < data->bodies.size() ? "body" : "frame") +
                                         std::string(" 'world' moves; it is not the ground, which "
                                                     "has no frame of its own in this model")});
    note_singular_hinges(tree.parent, data->fixed, data->bodies, data->hinges, notes);
    refuse_faults();
    data->notes = notes_;
    for (Note& note : notes)
        data->notes.push_back({note.kind, std::move(note.text), true});

    Model model;
    model.data_ = std::move(data);
    return model;
}

} // namespace sweepdyn
