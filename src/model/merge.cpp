#include "sweepdyn/model/merge.hpp"

#include <algorithm>

#include "edit_detail.hpp"

namespace sweepdyn {
namespace {

// Where a body of the old model is in the new one: on which old body (or the ground), and where on it.
struct Place {
    int carrier = ground;
    Pose<double> X_CB{};
};

std::vector<Place> places(const Model& model)
{
    std::vector<Place> place;
    for (int k : model.tree().base_to_tip()) {
        const Hinge& hinge = model.hinges()[k];
        const int parent = model.tree().parent[k];
        if (hinge.kind != HingeKind::weld)
            place.push_back({k, {}});
        else {
            const Place on = parent == ground ? Place{} : place[parent];
            place.push_back({on.carrier, on.X_CB * hinge.X_PF * inverse(hinge.X_CM)});
        }
    }
    return place;
}

std::string name_of(const Model& model, int body)
{
    return body == ground ? std::string() : model.bodies()[body].name;
}

void add_shapes(std::vector<Shape>& to, const std::vector<Shape>& shapes, const Pose<double>& X)
{
    for (Shape shape : shapes) {
        shape.X_BS = X * shape.X_BS;
        to.push_back(std::move(shape));
    }
}

void add_body(Body& to, const Body& body, const Pose<double>& X)
{
    detail::add_rigidly(to, body, X);
    add_shapes(to.visuals, body.visuals, X);
    add_shapes(to.collisions, body.collisions, X);
}

// The hinge of a body that stays, on what now carries its parent.
Hinge moved_hinge(const Model& model, const std::vector<Place>& place, int k)
{
    Hinge hinge = model.hinges()[k];
    if (const int parent = model.tree().parent[k]; parent != ground) {
        hinge.parent = name_of(model, place[parent].carrier);
        hinge.X_PF = place[parent].X_CB * hinge.X_PF;
    }
    return hinge;
}

Frame moved_frame(const Model& model, const std::vector<Place>& place, Frame frame)
{
    if (!frame.body.empty()) {
        const auto& [carrier, X_CB] = place[model.body(frame.body).index];
        frame = {frame.name, name_of(model, carrier), X_CB * frame.X_BF};
    }
    return frame;
}

Loop moved_loop(const Model& model, const std::vector<Place>& place, Loop loop)
{
    for (const auto& [body, X] : {std::pair{&loop.body_a, &loop.X_Aa}, {&loop.body_b, &loop.X_Bb}})
        if (!body->empty()) {
            const auto& [carrier, X_CB] = place[model.body(*body).index];
            *body = name_of(model, carrier);
            *X = X_CB * *X;
        }
    return loop;
}

void merge(const Model& model, const std::vector<Place>& place, ModelBuilder& builder)
{
    std::vector<int> new_index(place.size(), -1);
    std::vector<Body> bodies;
    std::vector<Hinge> hinges;
    std::vector<Frame> frames;
    std::size_t shapes_gone = 0;
    for (int k : model.tree().base_to_tip()) {
        const Body& body = model.bodies()[k];
        const auto& [carrier, X_CB] = place[k];
        if (carrier == k) {
            new_index[k] = static_cast<int>(bodies.size());
            bodies.push_back(body);
            hinges.push_back(moved_hinge(model, place, k));
            continue;
        }
        frames.push_back({body.name, name_of(model, carrier), X_CB});
        if (carrier == ground)
            shapes_gone += body.visuals.size() + body.collisions.size();
        else
            add_body(bodies[new_index[carrier]], body, X_CB);
    }
    for (const Frame& frame : builder.frames())
        frames.push_back(moved_frame(model, place, frame));
    for (Loop& loop : builder.loops())
        loop = moved_loop(model, place, std::move(loop));
    if (shapes_gone > 0)
        builder.add_note(
            {Note::Kind::remark, "merging left out " + std::to_string(shapes_gone) +
                                     " visual and collision shapes of what is welded to the ground"});
    builder.bodies() = std::move(bodies);
    builder.hinges() = std::move(hinges);
    builder.frames() = std::move(frames);
}

} // namespace

Model merge_welds(const Model& model, bool strict)
{
    ModelBuilder builder(model);
    builder.set_strict(strict);
    const std::vector<Place> place = places(model);
    if (std::all_of(place.begin(), place.end(), [](const Place& p) { return p.carrier == ground; }))
        builder.add_note({Note::Kind::remark, "nothing can move, so no weld was merged"});
    else
        merge(model, place, builder);
    return builder.build();
}

} // namespace sweepdyn
