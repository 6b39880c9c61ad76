#include "sweepdyn/model/inertial_parameters.hpp"

#include "sweepdyn/model/builder.hpp"

namespace sweepdyn {

std::vector<double> inertial_parameters(const Model& model)
{
    std::vector<double> pi;
    for (const Body& body : model.bodies()) {
        const auto [m, h, J] = Inertia<double>::about_point(body.mass, body.com, body.inertia_com);
        pi.insert(pi.end(), {m, h.x, h.y, h.z, J.xx, J.xy, J.xz, J.yy, J.yz, J.zz});
    }
    return pi;
}

std::vector<std::string> inertial_parameter_names(const Model& model)
{
    std::vector<std::string> names;
    for (const Body& body : model.bodies())
        for (const char* name : {"m", "mx", "my", "mz", "Jxx", "Jxy", "Jxz", "Jyy", "Jyz", "Jzz"})
            names.push_back(body.name + "." + name);
    return names;
}

Model with_inertial_parameters(const Model& model, std::span<const double> pi)
{
    require_size("with_inertial_parameters", "pi", pi.size(),
                 static_cast<std::size_t>(parameters_per_body * model.num_bodies()));
    ModelBuilder builder(model);
    for (Body& body : builder.bodies()) {
        const double m = pi[0];
        const Vec3<double> h{pi[1], pi[2], pi[3]};
        if (m == 0.0 && h != Vec3<double>{})
            builder.add_fault("body " + detail::quoted(body.name) + ": first moment is [" + number_text(h.x) +
                              ", " + number_text(h.y) + ", " + number_text(h.z) +
                              "] without mass, expected zero");
        body.mass = m;
        body.com = m == 0.0 ? Vec3<double>{} : (1.0 / m) * h;
        // Jc = J + m c~ c~
        const Sym3<double> of_mass = Inertia<double>::about_point(m, body.com, {}).J;
        body.inertia_com = Sym3<double>{pi[4], pi[5], pi[6], pi[7], pi[8], pi[9]} - of_mass;
        pi = pi.subspan(parameters_per_body);
    }
    return builder.build();
}

} // namespace sweepdyn
