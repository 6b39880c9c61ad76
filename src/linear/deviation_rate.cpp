// How deviations from an operating point change with time: dq_dot = dv - Cb dq, and A of a tree.
#include "sweepdyn/linear/linearize.hpp"
#include "sweepdyn/model/configuration.hpp"

namespace sweepdyn {

OperatingPoint::OperatingPoint(const Model& model)
    : q(static_cast<std::size_t>(model.num_coordinates())),
      v(static_cast<std::size_t>(model.num_dofs())),
      T(v.size())
{
    neutral(model, q);
}

// The columns of balls, planes and free steps are unit vectors in the child's axes: components are dot products there.
Matrix displacement_rate(const Kinematics<double>& kin)
{
    Matrix Cb(static_cast<int>(kin.v.size()), static_cast<int>(kin.v.size()));
    for (Index k : kin.tree().base_to_tip()) {
        const BodyKinematics<double>& b = kin.body[k];
        for (Index s = b.first_step; s < b.end_step; ++s) {
            const Step<double>& step = kin.steps[static_cast<std::size_t>(s)];
            if (step.kind != StepKind::ball && step.kind != StepKind::plane && step.kind != StepKind::free)
                continue;
            const Pose<double>& X = kin.X_WI_steps[static_cast<std::size_t>(s)];
            const auto seen = [&](int j) {
                return rotate_back(X.R,
                                   PhiAdjoint<double>{X.p - kin.r(k)} * kin.H[static_cast<std::size_t>(j)]);
            };
            Motion<double> V{};
            for (int j = step.first_dof; j < step.first_dof + step.num_dofs; ++j)
                V += kin.v[static_cast<std::size_t>(j)] * seen(j);
            for (int j = step.first_dof; j < step.first_dof + step.num_dofs; ++j)
                for (int i = step.first_dof; i < step.first_dof + step.num_dofs; ++i) {
                    const Motion<double> turned = crm(V) * seen(j);
                    Cb(i, j) = dot(seen(i).w, turned.w) + dot(seen(i).v, turned.v);
                }
        }
    }
    return Cb;
}

Matrix deviation_rate(Linearization& lin)
{
    const auto& [M_inverse, A_C, B_C] = lin.matrices();
    const Matrix Cb = displacement_rate(lin.kinematics());
    const int n = lin.model().num_dofs();
    Matrix A(2 * n, 2 * n);
    for (int j = 0; j < n; ++j) {
        A(j, n + j) = 1.0;
        for (int i = 0; i < n; ++i) {
            A(i, j) = -Cb(i, j);
            A(n + i, j) = -B_C(i, j);
            A(n + i, n + j) = -A_C(i, j);
        }
    }
    return A;
}

} // namespace sweepdyn
