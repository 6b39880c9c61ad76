// Builds a Model and finds everything that is wrong with it at once.
//
//     ModelBuilder builder("pendulum");
//     builder.add_body({.name = "rod", .mass = 1.0, .com = {0, 0, -0.5}, .inertia_com = {0.08, 0, 0, 0.08, 0, 0.001}});
//     builder.add_hinge({.name = "pivot", .kind = HingeKind::revolute, .child = "rod", .axis = {0, 1, 0}});
//     Model model = builder.build();
//
// Once a hinge says which of its dofs are actuated, those of hinges that do not say are not.
// Bodies keep the order in which they were added when every parent precedes its children; otherwise they are put
// depth first, siblings in the order added.
#pragma once

#include "sweepdyn/model/model.hpp"

namespace sweepdyn {

class ModelBuilder {
public:
    explicit ModelBuilder(std::string name = "model") : name_(std::move(name)) {}
    // Starts from a model, with what its file gave cause to say: how editing makes new ones.
    explicit ModelBuilder(const Model& model);

    ModelBuilder& set_name(std::string name) { return name_ = std::move(name), *this; }
    ModelBuilder& set_gravity(const Vec3<double>& gravity) { return gravity_ = gravity, *this; }
    // Doubts about inertias become faults.
    ModelBuilder& set_strict(bool strict) { return strict_ = strict, *this; }

    ModelBuilder& add_body(Body body) { return bodies_.push_back(std::move(body)), *this; }
    ModelBuilder& add_hinge(Hinge hinge) { return hinges_.push_back(std::move(hinge)), *this; }
    ModelBuilder& add_frame(Frame frame) { return frames_.push_back(std::move(frame)), *this; }
    ModelBuilder& add_loop(Loop loop) { return loops_.push_back(std::move(loop)), *this; }
    ModelBuilder& add_note(Note note) { return notes_.push_back(std::move(note)), *this; }
    // A fault found by a reader, to be reported together with the builder's own.
    ModelBuilder& add_fault(std::string fault) { return faults_.push_back(std::move(fault)), *this; }

    std::vector<Body>& bodies() { return bodies_; }
    std::vector<Hinge>& hinges() { return hinges_; }
    std::vector<Frame>& frames() { return frames_; }
    std::vector<Loop>& loops() { return loops_; }

    // Throws ModelError with every fault.
    Model build() const;

private:
    std::string name_;
    Vec3<double> gravity_{0, 0, -9.81};
    bool strict_ = false;
    std::vector<Body> bodies_;
    std::vector<Hinge> hinges_;
    std::vector<Frame> frames_;
    std::vector<Loop> loops_;
    std::vector<Note> notes_;
    std::vector<std::string> faults_;
};

} // namespace sweepdyn
