// The numbers of the blocks that operators/formulas/linearized_dynamics.hpp names, from the stages of linear/:
//
//     Hd, Hs, Hdd, Fh    columns, as they are
//     N                  N(i,j) of the mends, plus H(i) Fh(j) of columns i before j of one hinge
//     M_bar, We          [L, 0; -p~, 0]
//     P_hat, Pw          M_bar and We with what the children handed down
//     J, Jw              of differentiate_forward_dynamics, which must have run
//
// For looking and checking: it allocates. Before: column_derivatives, articulated_derivatives.
// Specified by tests/laws/linearized_expressions.cpp.
#pragma once

#include <map>

#include "sweepdyn/linear/differentiate_forward_dynamics.hpp"
#include "sweepdyn/linear/differentiate_inverse_dynamics.hpp"

namespace sweepdyn {

// By name, each body's block column by column.
inline std::map<std::string, std::vector<double>> given_blocks(const Kinematics<double>& kin,
                                                               const ColumnDerivatives<double>& d,
                                                               const ArticulatedDerivatives<double>& y,
                                                               const ForwardDerivatives<double>& forward)
{
    std::map<std::string, std::vector<double>> out;
    const auto put = [](std::vector<double>& to, const Vec3<double>& a, const Vec3<double>& b) {
        to.insert(to.end(), {a.x, a.y, a.z, b.x, b.y, b.z});
    };
    const auto put_half = [&](std::vector<double>& to, const auto& first, const auto& second,
                              const auto& third) {
        const auto six = [&](const auto& X) {
            const auto& [top, bottom] = X;
            put(to, top, bottom);
        };
        six(first), six(second), six(third);
        to.insert(to.end(), 18, 0.0); // the other half
    };
    for (std::size_t j = 0; j < kin.H.size(); ++j) {
        put(out["Hd"], d.Hd[j].w, d.Hd[j].v);
        put(out["Hs"], d.Hs[j].w, d.Hs[j].v);
        put(out["Hdd"], d.Hdd[j].w, d.Hdd[j].v);
        put(out["Fh"], d.Fh[j].n, d.Fh[j].f);
    }
    std::vector<BiasInertia<double>> R_bar(d.M_bar.size());
    detail::gather_bias<double>(kin, d.M_bar, R_bar);
    for (Index k : kin.tree().base_to_tip()) {
        const Columns3<Force<double>> composite = columns(R_bar[k]);
        put_half(out["R_bar"], composite.x, composite.y, composite.z);
        for (Index j : kin.body[k].dofs())
            for (Index i : kin.body[k].dofs()) {
                double N = i < j ? dot(kin.H[i], d.Fh[j]) : 0.0;
                for (const auto& mend : d.mends)
                    if (mend.i == i && mend.j == j)
                        N += mend.N;
                out["N"].push_back(N);
            }
        const bool leaf = kin.tree().is_leaf[k];
        const Columns3<Force<double>> M_bar = columns(d.M_bar[k]),
                                      We = columns(d.We.empty() ? BiasInertia<double>{} : d.We[k]);
        Columns3<Force<double>> P_hat = M_bar, Pw = We;
        if (!leaf)
            P_hat += y.P_hat[k];
        if (!leaf && !d.We.empty())
            Pw += y.P_w[k];
        const Columns3<Motion<double>> Jw = d.We.empty() ? Columns3<Motion<double>>{} : forward.Jw[k];
        put_half(out["M_bar"], M_bar.x, M_bar.y, M_bar.z);
        put_half(out["We"], We.x, We.y, We.z);
        put_half(out["P_hat"], P_hat.x, P_hat.y, P_hat.z);
        put_half(out["Pw"], Pw.x, Pw.y, Pw.z);
        put_half(out["J"], forward.J[k].x, forward.J[k].y, forward.J[k].z);
        put_half(out["Jw"], Jw.x, Jw.y, Jw.z);
    }
    return out;
}

} // namespace sweepdyn
