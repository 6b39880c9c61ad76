// One instruction of a plan at one cluster: all its bodies and columns at once. What acts on each body by itself is run_body's.
// Included by run.hpp, and not by others.
#pragma once

namespace sweepdyn::algebra {

// Kept out of the way of run_pass, whose loops want the registers.
template <class S> [[gnu::noinline]] void Runner<S>::run_clusters(const Stages<S>& stages, const Pass& pass)
{
    const auto clusters = plan_.over().clusters();
    const auto run = [&](const BlockTree::Cluster& c) {
        for (const Instruction& ins : pass.instructions)
            run_cluster(stages, ins, c);
    };
    if (pass.direction == Direction::causal)
        std::for_each(clusters.rbegin(), clusters.rend(), run);
    else
        std::for_each(clusters.begin(), clusters.end(), run);
}

template <class S>
void Runner<S>::run_cluster(const Stages<S>& stages, const Instruction& ins, const BlockTree::Cluster& c)
{
    using Op = Instruction::Op;
    const ClusterBlocks<S>& blocks = *stages.clusters;
    const int m = c.size(), n = static_cast<int>(c.bodies.size());
    const Motion<S>* const H = blocks.H.data() + c.first_H;
    const auto gains = [&]() -> const ClusterGains<S>& { return *stages.find_gains(plan_, ins.articulated); };
    const auto to_body = [&](int k, const Six& x) {
        store(bodies(ins.target)[k], ins.base < 0 ? nullptr : bodies(ins.base) + k, ins.c, x);
    };
    const auto to_hinge = [&](int i, const S& x) {
        const int j = c.columns[i];
        store(numbers(ins.target)[j], ins.base < 0 ? nullptr : numbers(ins.base) + j, ins.c, x);
    };
    const auto source = [&](int k) -> const Six& { return bodies(ins.source)[k]; };
    const auto across = [&](int i) -> const S& { return numbers(ins.source)[c.columns[i]]; };
    const auto each_body = [&](const auto& f) {
        for (int b = 0; b < n; ++b)
            to_body(c.bodies[b], f(b, c.bodies[b]));
    };
    // y = A x at the columns, A given by its entries
    const auto square = [&](const auto& entry) {
        for (int i = 0; i < m; ++i) {
            S sum(0);
            for (int j = 0; j < m; ++j)
                sum += entry(i, j) * across(j);
            y_[i] = sum;
        }
        for (int i = 0; i < m; ++i)
            to_hinge(i, y_[i]);
    };
    const auto solved = [&](const auto& solve) {
        for (int i = 0; i < m; ++i)
            x_[i] = across(i);
        solve(x_.data());
        for (int i = 0; i < m; ++i)
            to_hinge(i, x_[i]);
    };
    // Numbers of all bodies of the cluster, one after the other.
    const auto gather = [&](S* x) {
        for (int b = 0; b < n; ++b) {
            const Six& s = source(c.bodies[b]);
            const S parts[6] = {s.top.x, s.top.y, s.top.z, s.bottom.x, s.bottom.y, s.bottom.z};
            std::copy(parts, parts + 6, x + 6 * b);
        }
    };
    const auto scatter = [&](const S* y) {
        each_body([&](int b, int) -> Six {
            const S* const at = y + 6 * b;
            return {{at[0], at[1], at[2]}, {at[3], at[4], at[5]}};
        });
    };
    const auto solve_full = [&](const char* leaf) { // A_ x = x_, 6 n of them
        if (!sweepdyn::algebra::detail::solve_symmetric(A_.data(), 6 * n, x_.data()))
            detail::throw_singular_block(stages.kin.model, leaf, c.bodies.front());
    };
    const auto inverse_of_each = [&](const char* leaf, const auto& times) {
        each_body([&](int, int k) -> Six {
            const Six s = source(k);
            for (int i = 0; i < 6; ++i) {
                Motion<S> e{};
                S* const entries[6] = {&e.w.x, &e.w.y, &e.w.z, &e.v.x, &e.v.y, &e.v.z};
                *entries[i] = S(1);
                const Force<S> column = times(k, e);
                const S parts[6] = {column.n.x, column.n.y, column.n.z, column.f.x, column.f.y, column.f.z};
                std::copy(parts, parts + 6, A_.data() + 6 * i);
            }
            S x[6] = {s.top.x, s.top.y, s.top.z, s.bottom.x, s.bottom.y, s.bottom.z};
            if (!detail::solve_symmetric(A_.data(), 6, x))
                detail::throw_singular_block(stages.kin.model, leaf, k);
            return {{x[0], x[1], x[2]}, {x[3], x[4], x[5]}};
        });
    };
    const auto shifted = [&](const auto& f) { each_body([&](int, int k) { return f(k, blocks.l[k]); }); };
    switch (ins.op) {
    case Op::copy_hinge:
        for (int i = 0; i < m; ++i)
            to_hinge(i, across(i));
        break;
    case Op::H:
        for (int i = 0; i < m; ++i) {
            S sum(0);
            for (int b = 0; b < n; ++b)
                sum += dot(H[b * m + i], force(source(c.bodies[b])));
            to_hinge(i, sum);
        }
        break;
    case Op::H_adj:
        each_body([&](int b, int) {
            Motion<S> V{};
            for (int i = 0; i < m; ++i)
                V += across(i) * H[b * m + i];
            return six(V);
        });
        break;
    case Op::G:
        each_body([&](int b, int) {
            Force<S> f{};
            for (int i = 0; i < m; ++i)
                f += across(i) * gains().G[c.first_H + b * m + i];
            return six(f);
        });
        break;
    case Op::G_adj:
        for (int i = 0; i < m; ++i) {
            S sum(0);
            for (int b = 0; b < n; ++b)
                sum += dot(gains().G[c.first_H + b * m + i], motion(source(c.bodies[b])));
            to_hinge(i, sum);
        }
        break;
    case Op::R: each_body([&](int, int k) { return six(blocks.R[k] * motion(source(k))); }); break;
    case Op::R_inv: inverse_of_each("R", [&](int k, const Motion<S>& e) { return blocks.R[k] * e; }); break;
    case Op::P: each_body([&](int, int k) { return six(gains().weights.P[k] * motion(source(k))); }); break;
    case Op::P_inv:
        inverse_of_each("P", [&](int k, const Motion<S>& e) { return gains().weights.P[k] * e; });
        break;
    case Op::Upsilon:
    case Op::Upsilon_inv: {
        gather(x_.data());
        const Motion<S>* const columns = blocks.Upsilon.data() + c.first_full / 6;
        for (int j = 0; j < 6 * n; ++j)
            for (int b = 0; b < n; ++b) {
                const Motion<S>& V = columns[j * n + b];
                const S parts[6] = {V.w.x, V.w.y, V.w.z, V.v.x, V.v.y, V.v.z};
                std::copy(parts, parts + 6, A_.data() + j * 6 * n + 6 * b);
            }
        if (ins.op == Op::Upsilon_inv) {
            solve_full("Upsilon");
            scatter(x_.data());
            break;
        }
        for (int i = 0; i < 6 * n; ++i) {
            y_[i] = S(0);
            for (int j = 0; j < 6 * n; ++j)
                y_[i] += A_[j * 6 * n + i] * x_[j];
        }
        scatter(y_.data());
        break;
    }
    case Op::J_a: square([&](int i, int j) { return blocks.J_a[c.first_square + i * m + j]; }); break;
    case Op::J_a_inv:
        for (int i = 0; i < m; ++i)
            x_[i] = across(i);
        std::copy_n(blocks.J_a.data() + c.first_square, m * m, A_.data());
        if (!detail::solve_symmetric(A_.data(), m, x_.data()))
            detail::throw_singular_block(stages.kin.model, "J_a", c.bodies.front());
        for (int i = 0; i < m; ++i)
            to_hinge(i, x_[i]);
        break;
    case Op::D: square([&](int i, int j) { return gains().D[c.first_square + i * m + j]; }); break;
    case Op::D_inv:
        solved([&](S* x) {
            sweepdyn::detail::solve_lower(gains().L.data() + c.first_square, m, x);
            sweepdyn::detail::solve_upper(gains().L.data() + c.first_square, m, x);
        });
        break;
    case Op::L_D:
        square([&](int i, int j) { return j <= i ? gains().L[c.first_square + i * m + j] : S(0); });
        break;
    case Op::L_D_adj:
        square([&](int i, int j) { return j >= i ? gains().L[c.first_square + j * m + i] : S(0); });
        break;
    case Op::L_D_inv:
        solved([&](S* x) { sweepdyn::detail::solve_lower(gains().L.data() + c.first_square, m, x); });
        break;
    case Op::L_D_adj_inv:
        solved([&](S* x) { sweepdyn::detail::solve_upper(gains().L.data() + c.first_square, m, x); });
        break;
    case Op::given:
    case Op::given_adj: {
        const auto in_hinges = [&](int v) { return is_hinge(plan_.values()[v].space.space); };
        const bool from_hinge = in_hinges(ins.source), to_hinges = in_hinges(ins.target);
        const int rows = to_hinges ? m : 6 * n, cols = from_hinge ? m : 6 * n;
        const S* const A = given_[ins.given].data() + (from_hinge && to_hinges   ? c.first_square
                                                       : from_hinge || to_hinges ? 6 * c.first_H
                                                                                 : c.first_full);
        if (from_hinge)
            for (int i = 0; i < m; ++i)
                x_[i] = across(i);
        else
            gather(x_.data());
        for (int i = 0; i < rows; ++i) {
            y_[i] = S(0);
            for (int j = 0; j < cols; ++j)
                y_[i] += (ins.op == Op::given ? A[j * rows + i] : A[i * cols + j]) * x_[j];
        }
        if (to_hinges)
            for (int i = 0; i < m; ++i)
                to_hinge(i, y_[i]);
        else
            scatter(y_.data());
        break;
    }
    case Op::Delta:
        shifted([&](int k, const Vec3<S>& l) { return six(Phi<S>{l} * force(source(k))); });
        break;
    case Op::Delta_adj:
        shifted([&](int k, const Vec3<S>& l) { return six(PhiAdjoint<S>{l} * motion(source(k))); });
        break;
    case Op::Delta_inv:
        shifted([&](int k, const Vec3<S>& l) { return six(Phi<S>{-l} * force(source(k))); });
        break;
    case Op::Delta_adj_inv:
        shifted([&](int k, const Vec3<S>& l) { return six(PhiAdjoint<S>{-l} * motion(source(k))); });
        break;
    case Op::E_adj:
        shifted([&](int, const Vec3<S>& l) {
            return c.base == ground ? six(PhiAdjoint<S>{l} * motion(*bodies(ins.source))) : Six{};
        });
        break;
    case Op::push_phi:
    case Op::push_S:
    case Op::push_E:
        if (ins.op == Op::push_E && c.base != ground)
            break;
        for (int k : c.bodies) {
            const Six x = ins.op == Op::push_S ? source(k) : six(Phi<S>{blocks.l[k]} * force(source(k)));
            Six& to = ins.op == Op::push_E ? *bodies(ins.target) : bodies(ins.target)[c.base];
            to = {to.top + x.top, to.bottom + x.bottom};
        }
        break;
    case Op::pull_phi:
        shifted([&](int, const Vec3<S>& l) {
            return six(PhiAdjoint<S>{l} * motion(bodies(ins.source)[c.base]));
        });
        break;
    case Op::pull_S: each_body([&](int, int) { return bodies(ins.source)[c.base]; }); break;
    default:
        for (int k : c.bodies)
            run_body(stages, ins, k);
    }
}

} // namespace sweepdyn::algebra
