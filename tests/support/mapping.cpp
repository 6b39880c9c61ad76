#include "support/mapping.hpp"

namespace sweepdyn::test {

namespace {

Numbers carry(const Model& from, const Model& to, const Numbers& numbers, const std::vector<int>& first_from,
              const std::vector<int>& first_to)
{
    Numbers out(static_cast<std::size_t>(first_to.back()));
    for (int k = 0; k < to.num_bodies(); ++k) {
        const int source = from.hinge(to.hinges()[static_cast<std::size_t>(k)].name);
        std::copy(numbers.begin() + first_from[static_cast<std::size_t>(source)],
                  numbers.begin() + first_from[static_cast<std::size_t>(source) + 1],
                  out.begin() + first_to[static_cast<std::size_t>(k)]);
    }
    return out;
}

} // namespace

Numbers carry_dofs(const Model& from, const Model& to, const Numbers& numbers)
{
    return carry(from, to, numbers, from.tree().first_dof, to.tree().first_dof);
}

Numbers carry_coordinates(const Model& from, const Model& to, const Numbers& numbers)
{
    return carry(from, to, numbers, from.tree().first_coordinate, to.tree().first_coordinate);
}

std::vector<Force<double>> external_by_name(const Kinematics<double>& kin, const Case& c)
{
    std::vector<Force<double>> out(static_cast<std::size_t>(kin.model.num_bodies()));
    for (int k = 0; k < c.model.num_bodies(); ++k)
        add_external_wrench<double>(kin, kin.model.frame(c.model.bodies()[static_cast<std::size_t>(k)].name),
                                    c.wrench[static_cast<std::size_t>(k)], WrenchAxes::world, out);
    return out;
}

} // namespace sweepdyn::test
