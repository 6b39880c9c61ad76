#include "sweepdyn/io/results/identities.hpp"

#include <algorithm>

#include "to_json.hpp"

namespace sweepdyn {

using results::OrderedJson;

std::string write_identities(const Model& model, std::span<const algebra::IdentityResidual> identities)
{
    OrderedJson list = OrderedJson::array();
    for (const algebra::IdentityResidual& identity : identities) {
        OrderedJson entry;
        entry["name"] = identity.name;
        entry["equation"] = identity.equation;
        entry["source"] = identity.source;
        entry["residual"] = results::ToJson{identity.name}(identity.residual);
        entry["tolerance"] = results::ToJson{identity.name}(identity.tolerance);
        entry["holds"] = identity.holds();
        list.push_back(std::move(entry));
    }
    OrderedJson out;
    out["model"] = model.name();
    out["conventions"] = "sweepdyn-1";
    out["identities"] = std::move(list);
    out["holds"] = std::all_of(identities.begin(), identities.end(), [](const auto& i) { return i.holds(); });
    return results::json_text(out, false);
}

} // namespace sweepdyn
