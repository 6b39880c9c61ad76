// Operational space of a set of frames: Omega = J M^-1 J*, with all cross blocks. It tells how the frames accelerate under forces on
// them; with contacts or loop cuts for frames these are the blocks that closed chains call Delassus'.
//
//     Omega(i,j) = B*(i) psi*(a,i) Upsilon(a) psi(a,j) B(j),   a the nearest body that carries both         [003 (6.10), 004 (5.5)]
//
// Upsilon on the paths of the frames, base to tip; then psi B of each frame walks inward, tip to base, and meets the others where
// their paths meet: O(depth) for one frame, O(bodies + frames * depth + frames^2) for several. Frames on the ground have zeros.
// No allocation after construction. Before: articulate. Specified by tests/laws/operational_space.cpp.
#pragma once

#include <array>

#include "sweepdyn/dynamics/compliance.hpp"
#include "sweepdyn/kinematics/frames.hpp"

namespace sweepdyn {

template <class S>
struct OperationalSpace {
    OperationalSpace(const Model& model, std::vector<FrameId> frames);

    std::vector<FrameId> frames;
    std::vector<S>
        Omega; // (6 frames) x (6 frames), symmetric; [angular; linear], world axes, about each frame's origin
    std::uint64_t position_version = 0;

    int size() const { return 6 * static_cast<int>(frames.size()); }
    Compliances<S> compliance;
    std::vector<int> path; // bodies that carry a frame, base to tip
    std::vector<std::array<Force<S>, 6>> carried; // per frame: psi B, as far in as it has come
    std::vector<std::vector<int>> met; // per body: its frames, and those that have come from outboard
};

template <class S>
OperationalSpace<S>::OperationalSpace(const Model& model, std::vector<FrameId> of_frames)
    : frames(std::move(of_frames)),
      Omega(36 * frames.size() * frames.size(), S(0)),
      compliance(model),
      carried(frames.size()),
      met(static_cast<std::size_t>(model.num_bodies()))
{
    std::vector<char> carries(met.size(), 0);
    for (FrameId frame : frames)
        for (int k = model.frame_body(frame); k != ground;
             k = model.tree().parent[static_cast<std::size_t>(k)])
            carries[static_cast<std::size_t>(k)] = 1;
    for (Index k : model.tree().base_to_tip())
        if (carries[k]) {
            path.push_back(static_cast<int>(k));
            met[k].reserve(frames.size());
        }
}

namespace detail {
// Omega(i,j) and its mirror image, at the body where both are carried.
template <class S> void meet(OperationalSpace<S>& space, Index body, int i, int j)
{
    const Index n = space.size();
    for (int c = 0; c < 6; ++c) {
        const Motion<S> V = space.compliance.Upsilon[body] *
                            space.carried[static_cast<std::size_t>(j)][static_cast<std::size_t>(c)];
        for (int r = 0; r < 6; ++r) {
            const S x = dot(space.carried[static_cast<std::size_t>(i)][static_cast<std::size_t>(r)], V);
            space.Omega[static_cast<std::size_t>((6 * j + c) * n + 6 * i + r)] = x;
            space.Omega[static_cast<std::size_t>((6 * i + r) * n + 6 * j + c)] = x;
        }
    }
}
} // namespace detail

template <class S> void operational_space(const Kinematics<S>& kin, const Articulation<S>& art,
                                          OperationalSpace<S>& space)
{
    detail::require_fresh(art.position_version == kin.position_version, "operational_space", "articulate");
    require_size("operational_space", "space", space.met.size(), kin.M.size());
    for (Index k : space.path)
        detail::spread_compliance(kin, art, k, space.compliance);
    for (Index k : space.path)
        space.met[k].clear();
    for (int i = 0; i < static_cast<int>(space.frames.size()); ++i) {
        const FrameId frame = space.frames[static_cast<std::size_t>(i)];
        const Index k = kin.model.frame_body(frame);
        if (k == ground)
            continue;
        const Vec3<S> lever = frame_pose(kin, frame).p - kin.r(k);
        const Vec3<S> axes[3] = {{S(1), S(0), S(0)}, {S(0), S(1), S(0)}, {S(0), S(0), S(1)}};
        for (std::size_t c = 0; c < 3; ++c) { // B(i)
            space.carried[static_cast<std::size_t>(i)][c] = {axes[c], {}};
            space.carried[static_cast<std::size_t>(i)][3 + c] = {cross(lever, axes[c]), axes[c]};
        }
        for (int j : space.met[k])
            detail::meet(space, k, i, j);
        space.met[k].push_back(i);
        detail::meet(space, k, i, i);
    }
    for (auto it = space.path.rbegin(); it != space.path.rend(); ++it) {
        const Index k = *it;
        const BodyKinematics<S>& b = kin.body[k];
        if (b.parent == ground)
            continue;
        for (int i : space.met[k])
            for (Force<S>& f : space.carried[static_cast<std::size_t>(i)]) { // psi(p,k)
                for (Index j : b.dofs_reversed())
                    f -= dot(kin.H[j], f) * art.G[j];
                if (b.shifts)
                    f = Phi<S>{b.l} * f;
            }
        std::vector<int>& there = space.met[b.parent];
        const std::size_t before = there.size();
        for (int i : space.met[k]) {
            for (std::size_t other = 0; other < before; ++other)
                detail::meet(space, b.parent, i, there[other]);
            there.push_back(i);
        }
    }
    space.position_version = kin.position_version;
}

extern template struct OperationalSpace<double>;
extern template struct OperationalSpace<float>;
extern template void operational_space(const Kinematics<double>&, const Articulation<double>&,
                                       OperationalSpace<double>&);
extern template void operational_space(const Kinematics<float>&, const Articulation<float>&,
                                       OperationalSpace<float>&);

} // namespace sweepdyn
