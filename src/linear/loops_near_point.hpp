// What loops carry near an operating point, whatever the states: shared by the independent dofs (near_point.cpp) and the descriptor
// form (descriptor.cpp).
#pragma once

#include "linear/near_point.hpp"
#include "sweepdyn/linear/closed_linearization.hpp"

namespace sweepdyn::detail {

class LoopsNearPoint : public NearPoint {
public:
    LoopsNearPoint(const Model& model, const OperatingPoint& point, const LinearizeOptions& options);

    Linearization& tree() override { return lin_.tree(); }
    std::vector<double> loop_force(int loop) override;
    ForceChange loop_force_change(int loop) override;
    // The loops' wrenches on all bodies outboard of the hinge, less the follower part that the tree knows.
    ForceChange reaction_change(int hinge) override;
    std::vector<bool> loop_force_determined(int loop) override;
    std::vector<bool> reaction_determined(int hinge) override;

protected:
    ClosedLinearization lin_;
    // Of all loops, 6 rows each and 1 per coupling.
    virtual ForceChange force_changes() = 0;

private:
    ForceChange forces_;

    Motion<double> relative_displacement(const LoopOnTree<double>& on, int column);
    void require_changes();
};

inline int num_force_rows(const LoopOnTree<double>& on) { return on.loop.kind == LoopKind::coupling ? 1 : 6; }

} // namespace sweepdyn::detail
