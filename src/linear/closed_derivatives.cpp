#include "sweepdyn/linear/closed_derivatives.hpp"

#include "sweepdyn/dynamics/loop_multipliers.hpp"
#include "sweepdyn/dynamics/singular.hpp"
#include "sweepdyn/linear/loop_derivatives.hpp"

namespace sweepdyn {
namespace {

Closure<double> closure_of(const Model& model)
{
    if (model.topology().is_open())
        throw UsageError("ClosedDerivatives: model " + detail::quoted(model.name()) +
                         " has no loops; the functions of a tree serve it");
    for (const Loop& loop : model.loops())
        if (num_holonomic_rows(loop) < num_rows(loop))
            throw RefusedError("ClosedDerivatives: loop " + detail::quoted(loop.name) + " of kind " +
                               std::string(name(loop.kind)) +
                               " has nonholonomic rows; ClosedLinearization serves these");
    return model.topology().distant.empty() ? Closure<double>(model)
                                            : Closure<double>(model, one_cluster(model));
}

std::variant<ClosedForwardDerivatives, OneClusterDerivatives> derivatives_of(const Model& model,
                                                                             const Closure<double>& closure)
{
    if (OneClusterDerivatives::serves(closure))
        return OneClusterDerivatives(model, closure);
    return ClosedForwardDerivatives(model, closure);
}

} // namespace

ClosedDerivatives::ClosedDerivatives(const Model& model)
    : kin_(model),
      closure_(closure_of(model)),
      art_(model, closure_, Elimination::basis),
      scratch_(model),
      columns_(model),
      derivatives_(derivatives_of(model, closure_)),
      v_dot_(static_cast<std::size_t>(model.num_dofs())),
      missing_(v_dot_.size()),
      lambda_(static_cast<std::size_t>(closure_.loops.num_rows)),
      room_(lambda_.size()),
      damping_(v_dot_.size(), 0.0)
{
    closure_.with_gaps = false;
    if (const auto& actuated = model.actuated_dofs())
        prefer_independent(*actuated);
}

void ClosedDerivatives::set(std::span<const double> q, std::span<const double> v, std::span<const double> T)
{
    update<double>(kin_, q, v);
    update_inertias(kin_);
    update_closure(kin_, closure_);
    articulate(kin_, closure_, art_);
    if (!art_.tree.singular.empty())
        detail::throw_singular(kin_.model, art_.tree.singular, "ClosedDerivatives::set");
    forward_dynamics<double>(kin_, closure_, art_, T, v_dot_, scratch_);
    column_derivatives<double>(kin_, v_dot_, columns_);
    for (Index k : kin_.tree().base_to_tip()) // ID(v_dot) - T
        for (Index j : kin_.body[k].dofs())
            missing_[j] = dot(kin_.H[j], columns_.motion[k].f) + kin_.armature[j] * v_dot_[j] - T[j];
    loop_multipliers<double>(closure_, missing_, lambda_, room_);
    add_loop_wrenches();
    if (auto* one = std::get_if<OneClusterDerivatives>(&derivatives_))
        one->compute(kin_, closure_, art_, columns_, v_dot_, lambda_);
    else
        std::get<ClosedForwardDerivatives>(derivatives_)
            .compute(kin_, closure_, columns_, v_dot_, lambda_, damping_);
}

// f -= A lambda from body a, f += A lambda from body b, up to their common ancestor, where both cancel; Fh = S[H*] f.
void ClosedDerivatives::add_loop_wrenches()
{
    for (const LoopOnTree<double>& on : closure_.loops.loops) {
        if (on.loop.kind == LoopKind::coupling)
            continue;
        const Force<double> w = loop_wrench<double>(closure_.loops, on, lambda_);
        for (const auto& [bodies, sign] : {std::pair{&on.up_a, -1.0}, {&on.up_b, 1.0}})
            for (int k : *bodies) {
                const BodyKinematics<double>& b = kin_.body[k];
                const Force<double> change = Phi<double>{on.o - kin_.r(k)} * (sign * w);
                columns_.motion[k].f += change;
                if (b.parent != ground || b.one_turn < 0) // of a turn on the ground nobody asks
                    for (Index j : b.dofs())
                        columns_.Fh[j] += crf(kin_.H[j]) * change;
            }
    }
    if (!columns_.mends.empty())
        detail::set_mends(kin_, columns_);
}

} // namespace sweepdyn
