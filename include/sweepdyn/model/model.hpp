// A model: an immutable forest of bodies, hinges and frames, and the loops that close it. Cheap to copy (copies share the data), safe to share
// between threads. Made by ModelBuilder, by a reader of a file, by a generator, or from another model by model/edit.hpp.
#pragma once

#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "sweepdyn/model/errors.hpp"
#include "sweepdyn/model/hinge.hpp"
#include "sweepdyn/model/loop.hpp"
#include "sweepdyn/model/topology.hpp"
#include "sweepdyn/model/tree.hpp"
#include "sweepdyn/spatial/inertia.hpp"

namespace sweepdyn {

// Strong ids for the border; the sweeps use plain ints.
struct BodyId {
    int index = ground;
    friend bool operator==(BodyId, BodyId) = default;
};
struct FrameId {
    int index = -1;
    friend bool operator==(FrameId, FrameId) = default;
};

struct Shape {
    enum class Kind { box, cylinder, sphere, capsule, mesh };
    Kind kind = Kind::box;
    std::vector<double>
        size; // box: x y z; cylinder and capsule: radius length; sphere: radius; mesh: scale x y z
    Pose<double> X_BS{};
    std::vector<double> color; // r g b a, or empty
    std::string file; // of a mesh
    std::string name;
};

struct Body {
    std::string name;
    double mass = 0.0;
    Vec3<double> com{}; // from the body origin, body axes
    Sym3<double> inertia_com{}; // about the centre of mass, body axes
    std::vector<Shape> visuals{}, collisions{};
};

struct Frame {
    std::string name;
    std::string body; // empty: the ground
    Pose<double> X_BF{};
};

// Something a reader of the model should know. Doubts (a missing inertia, a broken triangle inequality) become
// faults when asked for strictness; remarks (an element without effect) never do.
struct Note {
    enum class Kind { doubt, remark };
    Kind kind = Kind::remark;
    std::string text;
    bool derived = false; // follows from the model's numbers: an edit finds it anew, or has settled it
};

class Model {
public:
    const std::string& name() const { return data_->name; }
    const Vec3<double>& gravity() const { return data_->gravity; }
    const Tree& tree() const { return data_->tree; }

    // Body k hangs on hinge k.
    std::span<const Body> bodies() const { return data_->bodies; }
    std::span<const Hinge> hinges() const { return data_->hinges; }
    // Frame k, for k below the number of bodies, is body k's own; then the ground's `world`, then the rest.
    std::span<const Frame> frames() const { return data_->frames; }
    // By id; throws UsageError for one of another model.
    const Frame& frame_at(FrameId frame) const { return data_->frames[checked(frame)]; }
    int frame_body(FrameId frame) const { return data_->frame_body[checked(frame)]; }
    std::span<const Loop> loops() const { return data_->loops; }
    // Which hinges move together because of them.
    const Topology& topology() const { return data_->topology; }
    std::span<const Note> notes() const { return data_->notes; }

    int num_bodies() const { return tree().num_bodies(); }
    int num_dofs() const { return tree().num_dofs(); }
    int num_coordinates() const { return tree().num_coordinates(); }
    std::span<const std::string> dof_names() const { return data_->dof_names; }
    // Dofs with an actuator, in order; nothing where neither a file nor a builder says.
    const std::optional<std::vector<int>>& actuated_dofs() const { return data_->actuated_dofs; }

    // The very same model, or a copy of it.
    bool same_as(const Model& other) const { return data_ == other.data_; }

    // The body on the ground's only free hinge, if there is just one: a floating base.
    std::optional<int> floating_base() const { return data_->floating_base; }
    // True when body k cannot move: welded to the ground through welds only.
    bool is_fixed(int k) const { return data_->fixed[static_cast<std::size_t>(k)]; }
    double total_mass() const; // of what can move

    // By name; unknown names throw UsageError with a suggestion.
    BodyId body(std::string_view name) const;
    FrameId frame(std::string_view name) const;
    int hinge(std::string_view name) const;
    int loop(std::string_view name) const;
    int dof(std::string_view name) const;

private:
    friend class ModelBuilder;
    Model() = default;
    std::size_t checked(FrameId frame) const
    {
        const auto index = static_cast<std::size_t>(frame.index);
        if (index >= data_->frames.size()) [[unlikely]]
            throw_unknown_frame(frame);
        return index;
    }
    [[noreturn]] void throw_unknown_frame(FrameId frame) const;
    struct Data {
        std::string name;
        Vec3<double> gravity{};
        Tree tree;
        std::vector<Body> bodies;
        std::vector<Hinge> hinges;
        std::vector<Frame> frames;
        std::vector<int> frame_body;
        std::vector<Loop> loops;
        Topology topology;
        std::vector<Note> notes;
        std::vector<std::string> dof_names;
        std::optional<std::vector<int>> actuated_dofs;
        std::vector<char> fixed;
        std::optional<int> floating_base;
    };
    std::shared_ptr<const Data> data_;
};

} // namespace sweepdyn
