#include "sweepdyn/kinematics/column_rates.hpp"

#include <atomic>

namespace sweepdyn {
namespace detail {

std::uint64_t new_version()
{
    // Threads take blocks, so that they need not wait for each other at every state.
    constexpr std::uint64_t block = 1u << 20;
    static std::atomic<std::uint64_t> blocks{1};
    static thread_local std::uint64_t next = 0;
    if (next % block == 0)
        next = block * blocks.fetch_add(1, std::memory_order_relaxed);
    return next++;
}

void throw_stale(const char* stage, const char* needed)
{
    throw UsageError(std::string(stage) + ": the stage that it reads is stale; call " + needed +
                     " first, for this state");
}

PerBody<int> reference_bodies(const Model& model, Reference choice)
{
    const Tree& tree = model.tree();
    PerBody<int> reference(tree.num_bodies(), ground), since_renewal(tree.num_bodies(), 0);
    for (Index k : tree.base_to_tip()) {
        const int parent = tree.parent[k];
        const bool first =
            parent == ground || model.is_fixed(parent); // the first body that moves: a base may be far away
        const bool far = choice == Reference::automatic && since_renewal[parent] + 1 == pole_depth;
        const bool renew = first || far || choice == Reference::hinges;
        reference[k] = renew ? static_cast<int>(k) : reference[parent];
        since_renewal[k] = renew ? 0 : since_renewal[parent] + 1;
    }
    return reference;
}

} // namespace detail

template struct Kinematics<double>;
template struct Kinematics<float>;
template void update(Kinematics<double>&, std::span<const double>);
template void update(Kinematics<float>&, std::span<const float>);
template void update(Kinematics<double>&, std::span<const double>, std::span<const double>);
template void update(Kinematics<float>&, std::span<const float>, std::span<const float>);
template void update_inertias(Kinematics<double>&);
template void update_inertias(Kinematics<float>&);
template void column_rates(const Kinematics<double>&, ColumnRates<double>&);
template void column_rates(const Kinematics<float>&, ColumnRates<float>&);

} // namespace sweepdyn
