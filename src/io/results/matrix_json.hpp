// A Matrix as JSON: a list of rows.
#pragma once

#include "sweepdyn/linear/matrix.hpp"
#include "to_json.hpp"

namespace sweepdyn::results {

inline OrderedJson matrix_json(const std::string& key, const Matrix& A)
{
    OrderedJson rows = OrderedJson::array();
    for (int i = 0; i < A.rows(); ++i) {
        OrderedJson row = OrderedJson::array();
        for (int j = 0; j < A.columns(); ++j)
            row.push_back(ToJson{key}(A(i, j)));
        rows.push_back(std::move(row));
    }
    return rows;
}

} // namespace sweepdyn::results
