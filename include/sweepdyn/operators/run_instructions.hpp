// One instruction of a plan at one body. Included by run.hpp, and not by others.
#pragma once

namespace sweepdyn::algebra {

template <class S> void Runner<S>::run_body(const Stages<S>& stages, const Instruction& ins, Index k)
{
    using Op = Instruction::Op;
    const Kinematics<S>& kin = stages.kin;
    const BodyKinematics<S>& body = kin.body[k];
    const double c = ins.c;
    const auto to_body = [&](const Six& x) {
        store(bodies(ins.target)[k], ins.base < 0 ? nullptr : bodies(ins.base) + k, c, x);
    };
    const auto to_hinge = [&](Index j, const S& x) {
        store(numbers(ins.target)[j], ins.base < 0 ? nullptr : numbers(ins.base) + j, c, x);
    };
    const auto source = [&]() -> const Six& { return bodies(ins.source)[k]; };
    const auto across = [&](Index j) -> const S& { return numbers(ins.source)[j]; };
    const auto l = [&] { return body.shifts ? body.l : Vec3<S>{}; };
    const auto inverse_times = [&](const Six& s, const char* leaf,
                                   const auto& column) -> Six { // A^-1 s, A given by its columns
        std::array<S, 36> A;
        for (int i = 0; i < 6; ++i) {
            Six e{};
            S* const entries[6] = {&e.top.x, &e.top.y, &e.top.z, &e.bottom.x, &e.bottom.y, &e.bottom.z};
            *entries[i] = S(1);
            const Six Ae = column(e);
            const S parts[6] = {Ae.top.x, Ae.top.y, Ae.top.z, Ae.bottom.x, Ae.bottom.y, Ae.bottom.z};
            std::copy(parts, parts + 6, A.data() + 6 * i);
        }
        std::array<S, 6> x{s.top.x, s.top.y, s.top.z, s.bottom.x, s.bottom.y, s.bottom.z};
        if (!detail::solve_symmetric(A.data(), 6, x.data()))
            detail::throw_singular_block(kin.model, leaf, k);
        return {{x[0], x[1], x[2]}, {x[3], x[4], x[5]}};
    };
    const auto by_inverse = [&](const char* leaf, const auto& column) {
        to_body(inverse_times(source(), leaf, column));
    };
    const auto upsilon = [&](const Six& f) {
        const auto& U = stages.Upsilon[k];
        return six(f.top.x * U[0] + f.top.y * U[1] + f.top.z * U[2] + f.bottom.x * U[3] + f.bottom.y * U[4] +
                   f.bottom.z * U[5]);
    };
    const auto lever = [&](int frame) { // from the body's reference point to the frame's origin
        const FrameId id =
            plan_.frame_sets()[static_cast<std::size_t>(ins.frames)][static_cast<std::size_t>(frame)];
        return transform_point(kin.X_WB(k), cast<S>(kin.model.frame_at(id).X_BF.p)) - kin.r(k);
    };
    const auto on_this_body = [&]() -> const std::vector<int>& {
        return frames_on_[static_cast<std::size_t>(ins.frames)][static_cast<std::size_t>(k)];
    };
    const auto art = [&]() -> const BlockArticulation<S>& { return *stages.find(plan_, ins.articulated); };
    const auto to_world = [&](const auto& x) { // once per pass
        if (k == 0)
            store(*bodies(ins.target), ins.base < 0 ? nullptr : bodies(ins.base), c, x());
    };
    const auto centre = [&] { // of mass, from the world origin
        if (!(value(stages.whole.m) > 0.0))
            detail::throw_no_mass(kin.model);
        return (S(1) / stages.whole.m) * stages.whole.h;
    };
    const auto world = [&]() -> const Six& { return *bodies(ins.source); };
    const int n = kin.tree().num_dofs(static_cast<int>(k)), first = body.first_dof;
    switch (ins.op) {
    case Op::copy_hinge:
        for (Index j : body.dofs())
            to_hinge(j, across(j));
        break;
    case Op::copy_body: to_body(source()); break;
    case Op::copy_frame:
        for (int f : on_this_body())
            store(bodies(ins.target)[f], ins.base < 0 ? nullptr : bodies(ins.base) + f, c,
                  bodies(ins.source)[f]);
        if (k == 0) // frames on the ground have no body to come with
            for (int f : frames_on_[static_cast<std::size_t>(ins.frames)].back())
                store(bodies(ins.target)[f], ins.base < 0 ? nullptr : bodies(ins.base) + f, c,
                      bodies(ins.source)[f]);
        break;
    case Op::copy_world: to_world(world); break;
    case Op::R_0: to_world([&] { return six(stages.whole * motion(world())); }); break;
    case Op::B_cm: to_world([&] { return six(Phi<S>{centre()} * force(world())); }); break;
    case Op::B_cm_adj: to_world([&] { return six(PhiAdjoint<S>{centre()} * motion(world())); }); break;
    case Op::B_cm_inv: to_world([&] { return six(Phi<S>{-centre()} * force(world())); }); break;
    case Op::B_cm_adj_inv: to_world([&] { return six(PhiAdjoint<S>{-centre()} * motion(world())); }); break;
    case Op::R_0_inv:
        to_world([&] {
            return inverse_times(world(), "R_0", [&](const Six& e) { return six(stages.whole * motion(e)); });
        });
        break;
    case Op::H:
        for (Index j : body.dofs())
            to_hinge(j, dot(kin.H[j], force(source())));
        break;
    case Op::H_adj: {
        Motion<S> V{};
        for (Index j : body.dofs())
            V += across(j) * kin.H[j];
        to_body(six(V));
        break;
    }
    case Op::M: to_body(six(kin.M[k] * motion(source()))); break;
    case Op::M_dot: { // S[V] M x - M crm(V) x
        const Motion<S> x = motion(source());
        to_body(six(crf(body.V) * (kin.M[k] * x) - kin.M[k] * (crm(body.V) * x)));
        break;
    }
    case Op::R: to_body(six(stages.composite.R[k] * motion(source()))); break;
    case Op::P: to_body(six(stages.mass.P[k] * motion(source()))); break;
    case Op::Upsilon: to_body(upsilon(source())); break;
    case Op::M_inv: by_inverse("M", [&](const Six& e) { return six(kin.M[k] * motion(e)); }); break;
    case Op::R_inv:
        by_inverse("R", [&](const Six& e) { return six(stages.composite.R[k] * motion(e)); });
        break;
    case Op::P_inv: by_inverse("P", [&](const Six& e) { return six(stages.mass.P[k] * motion(e)); }); break;
    case Op::Upsilon_inv: by_inverse("Upsilon", upsilon); break;
    case Op::J_a:
        for (Index j : body.dofs())
            to_hinge(j, kin.armature[j] * across(j));
        break;
    case Op::J_a_inv:
        for (Index j : body.dofs()) {
            if (value(kin.armature[j]) == 0.0)
                detail::throw_singular_block(kin.model, "J_a", k);
            to_hinge(j, across(j) / kin.armature[j]);
        }
        break;
    case Op::D: {
        const S* Dk = art().D.data() + art().first_block[static_cast<std::size_t>(k)];
        for (int i = 0; i < n; ++i) {
            S sum(0);
            for (int j = 0; j < n; ++j)
                sum += Dk[i * n + j] * across(first + j);
            to_hinge(first + i, sum);
        }
        break;
    }
    case Op::D_inv: {
        std::array<S, 6> x;
        art().solve_D(body, k, numbers(ins.source) + first, x.data());
        for (int i = 0; i < n; ++i)
            to_hinge(first + i, x[static_cast<std::size_t>(i)]);
        break;
    }
    case Op::L_D:
    case Op::L_D_adj: {
        const S* L = art().L.data() + art().first_block[static_cast<std::size_t>(k)];
        for (int i = 0; i < n; ++i) {
            S sum(0);
            for (int j = 0; j < n; ++j)
                if (ins.op == Op::L_D ? j <= i : j >= i)
                    sum += (ins.op == Op::L_D ? L[i * n + j] : L[j * n + i]) * across(first + j);
            to_hinge(first + i, sum);
        }
        break;
    }
    case Op::L_D_inv:
    case Op::L_D_adj_inv: {
        const S* L = art().L.data() + art().first_block[static_cast<std::size_t>(k)];
        std::array<S, 6> x;
        for (int i = 0; i < n; ++i)
            x[static_cast<std::size_t>(i)] = across(first + i);
        if (ins.op == Op::L_D_inv)
            sweepdyn::detail::solve_lower(L, n, x.data());
        else
            sweepdyn::detail::solve_upper(L, n, x.data());
        for (int i = 0; i < n; ++i)
            to_hinge(first + i, x[static_cast<std::size_t>(i)]);
        break;
    }
    case Op::G: {
        Force<S> f{};
        for (Index j : body.dofs())
            f += across(j) * art().G[j];
        to_body(six(f));
        break;
    }
    case Op::G_adj:
        for (Index j : body.dofs())
            to_hinge(j, dot(art().G[j], motion(source())));
        break;
    case Op::given:
    case Op::given_adj: {
        const auto in_hinges = [&](int v) {
            return is_hinge(plan_.values()[static_cast<std::size_t>(v)].space.space);
        };
        const bool from_hinge = in_hinges(ins.source), to_hinges = in_hinges(ins.target);
        const int rows = to_hinges ? n : 6, cols = from_hinge ? n : 6;
        const S* A = given_[static_cast<std::size_t>(ins.given)].data() +
                     (from_hinge && to_hinges   ? stages.mass.first_block[static_cast<std::size_t>(k)]
                      : from_hinge || to_hinges ? 6 * first
                                                : 36 * k);
        const auto entry = [&](int i, int j) -> const S& {
            return ins.op == Op::given ? A[j * rows + i] : A[i * cols + j];
        };
        std::array<S, 6> x{}, y{};
        if (from_hinge)
            std::copy(numbers(ins.source) + first, numbers(ins.source) + first + n, x.begin());
        else
            x = {source().top.x,    source().top.y,    source().top.z,
                 source().bottom.x, source().bottom.y, source().bottom.z};
        for (int i = 0; i < rows; ++i)
            for (int j = 0; j < cols; ++j)
                y[static_cast<std::size_t>(i)] += entry(i, j) * x[static_cast<std::size_t>(j)];
        if (to_hinges)
            for (int i = 0; i < n; ++i)
                to_hinge(first + i, y[static_cast<std::size_t>(i)]);
        else
            to_body({{y[0], y[1], y[2]}, {y[3], y[4], y[5]}});
        break;
    }
    case Op::Delta: to_body(six(Phi<S>{l()} * force(source()))); break;
    case Op::Delta_adj: to_body(six(PhiAdjoint<S>{l()} * motion(source()))); break;
    case Op::Delta_inv: to_body(six(Phi<S>{-l()} * force(source()))); break;
    case Op::Delta_adj_inv: to_body(six(PhiAdjoint<S>{-l()} * motion(source()))); break;
    case Op::B: {
        Force<S> f{};
        for (int i : on_this_body())
            f += Phi<S>{lever(i)} * force(bodies(ins.source)[i]);
        to_body(six(f));
        break;
    }
    case Op::B_adj:
        for (int i : on_this_body())
            store(bodies(ins.target)[i], ins.base < 0 ? nullptr : bodies(ins.base) + i, c,
                  six(PhiAdjoint<S>{lever(i)} * motion(source())));
        if (k == 0) // frames on the ground do not move
            for (int i : frames_on_[static_cast<std::size_t>(ins.frames)].back())
                store(bodies(ins.target)[i], ins.base < 0 ? nullptr : bodies(ins.base) + i, c, Six{});
        break;
    case Op::E_adj:
        to_body(body.parent == ground ? six(PhiAdjoint<S>{kin.r(k)} * motion(*bodies(ins.source))) : Six{});
        break;
    case Op::push_phi: {
        const Six x = six(Phi<S>{l()} * force(source()));
        Six& to = bodies(ins.target)[body.parent];
        to = {to.top + x.top, to.bottom + x.bottom};
        break;
    }
    case Op::push_S: {
        Six& to = bodies(ins.target)[body.parent];
        to = {to.top + source().top, to.bottom + source().bottom};
        break;
    }
    case Op::push_E:
        if (body.parent == ground) {
            const Six x = six(Phi<S>{kin.r(k)} * force(source()));
            Six& to = *bodies(ins.target);
            to = {to.top + x.top, to.bottom + x.bottom};
        }
        break;
    case Op::pull_phi: to_body(six(PhiAdjoint<S>{l()} * motion(bodies(ins.source)[body.parent]))); break;
    case Op::pull_S: to_body(bodies(ins.source)[body.parent]); break;
    }
}

} // namespace sweepdyn::algebra
