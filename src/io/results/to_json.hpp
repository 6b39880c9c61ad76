// Result values as JSON values.
#pragma once

#include <cmath>

#include "json_text.hpp"
#include "sweepdyn/io/results/result.hpp"

namespace sweepdyn::results {

// Values to JSON; a number that is not finite is refused by the key that asked for it.
struct ToJson {
    const std::string& key;

    OrderedJson operator()(double number) const
    {
        if (!std::isfinite(number))
            throw RefusedError("result '" + key + "' is not finite (got " + number_text(number) +
                               "); the numbers of the state or of the model are too large");
        return number;
    }
    OrderedJson list(std::span<const double> numbers) const
    {
        OrderedJson out = OrderedJson::array();
        for (double number : numbers)
            out.push_back((*this)(number));
        return out;
    }
    OrderedJson operator()(const std::vector<double>& numbers) const { return list(numbers); }
    OrderedJson operator()(const ResultMatrix& matrix) const
    {
        OrderedJson rows = OrderedJson::array();
        const auto columns = static_cast<std::size_t>(matrix.columns);
        for (std::size_t i = 0; i < static_cast<std::size_t>(matrix.rows); ++i)
            rows.push_back(list(std::span(matrix.entries).subspan(i * columns, columns)));
        return rows;
    }
    OrderedJson operator()(const LabelledMatrix& labelled) const
    {
        OrderedJson out;
        out["rows"] = labelled.rows;
        out["cols"] = labelled.columns;
        out["matrix"] = (*this)(labelled.matrix);
        return out;
    }
    OrderedJson operator()(const std::vector<std::string>& names) const
    {
        OrderedJson out = OrderedJson::array();
        for (const std::string& name : names)
            out.push_back(name);
        return out;
    }
    OrderedJson operator()(const std::vector<LoopForce>& forces) const
    {
        OrderedJson loops = OrderedJson::array();
        for (const LoopForce& force : forces) {
            OrderedJson one;
            one["name"] = force.loop;
            one["wrench"] = list(force.wrench);
            one["unique"] = OrderedJson::array();
            for (const bool unique : force.unique)
                one["unique"].push_back(unique);
            loops.push_back(std::move(one));
        }
        OrderedJson out;
        out["loops"] = std::move(loops);
        return out;
    }
    OrderedJson operator()(const Pose<double>& X) const
    {
        const Mat3<double>& R = X.R;
        const ResultMatrix rows{
            3, 3, {R(0, 0), R(0, 1), R(0, 2), R(1, 0), R(1, 1), R(1, 2), R(2, 0), R(2, 1), R(2, 2)}};
        OrderedJson out;
        out["R"] = (*this)(rows);
        out["p"] = (*this)(std::vector{X.p.x, X.p.y, X.p.z});
        return out;
    }
};

} // namespace sweepdyn::results
