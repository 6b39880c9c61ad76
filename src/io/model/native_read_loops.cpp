#include <algorithm>

#include "native_reader.hpp"

namespace sweepdyn::native {

void Reader::read_loop(const Value& value, std::size_t place)
{
    if (!value.require_object())
        return;
    Loop loop;
    loop.name = "loop" + std::to_string(place);
    check_index(value, place);
    if (const auto given = value.find("name"))
        loop.name = given->text().value_or(loop.name);
    const auto kind = value.need("kind", "the kind of the loop");
    const auto text = kind ? kind->text("the kind of the loop") : std::nullopt;
    if (!text)
        return;
    try {
        loop.kind = loop_kind(*text);
    } catch (const UsageError& error) {
        kind->fault("loop " + detail::quoted(loop.name) + ": " + error.what());
        return;
    }
    const std::size_t faults = report_.faults.size();
    if (loop.kind == LoopKind::coupling)
        read_coupling(value, loop);
    else
        read_ends(value, loop);
    if (report_.faults.size() == faults)
        builder_.add_loop(std::move(loop));
}

// Frame a in body_a, frame b in body_b, and what the kind needs besides.
void Reader::read_ends(const Value& value, Loop& loop)
{
    value.know_keys({"index", "name", "kind", "body_a", "body_b", "rotation_a", "position_a", "rotation_b",
                     "position_b", "rows", "radius"});
    const auto body = [&](const std::string& key) {
        const auto found = value.need(key, "a body or -1, the ground");
        return found ? body_name(*found).value_or("") : std::string();
    };
    loop.body_a = body("body_a");
    loop.body_b = body("body_b");
    loop.X_Aa = pose(value, "rotation_a", "position_a");
    loop.X_Bb = pose(value, "rotation_b", "position_b");
    const bool rolls = loop.kind == LoopKind::rolling_sphere || loop.kind == LoopKind::rolling_disc;
    if (rolls) {
        if (const auto radius = value.need("radius", "a length in metres"))
            loop.radius = radius->number().value_or(0.0);
    } else if (const auto unused = value.find("radius"))
        unused->remark("has no effect on a " + std::string(name(loop.kind)) + " loop");
    if (loop.kind == LoopKind::rows) {
        const auto rows = value.need("rows", "a list of rx, ry, rz, x, y, z");
        const auto list = rows ? rows->list("rows") : std::nullopt;
        for (std::size_t i = 0; list && i < list->size(); ++i)
            if (const auto row = (*list)[i].text("one of rx, ry, rz, x, y, z")) {
                try {
                    loop.rows.push_back(loop_row(*row));
                } catch (const UsageError& error) {
                    (*list)[i].fault(error.what());
                }
            }
    } else if (const auto unused = value.find("rows"))
        if (!unused->if_integer()) // a bare count may stand there for the reader's sake
            unused->remark("has no effect on a " + std::string(name(loop.kind)) + " loop");
}

// Dofs by name, or by the bodies that their hinges carry; a coefficient or a polynomial for each.
void Reader::read_coupling(const Value& value, Loop& loop)
{
    const std::string what = "loop " + detail::quoted(loop.name) + " (coupling)";
    value.know_keys({"index", "name", "kind", "bodies", "dofs", "coefficients", "polynomials", "offset"});
    for (const auto& [one, other] : {std::pair{"dofs", "bodies"}, {"coefficients", "polynomials"}})
        if (value.has(one) && value.has(other))
            value.fault(what + ": " + one + " and " + other + " are both given; keep one");
    const bool by_dof = !value.has("bodies") || value.has("dofs");
    const auto who =
        by_dof ? value.need("dofs", "names of dofs; or bodies, whose hinges have one") : value.find("bodies");
    const auto list = who ? who->list(by_dof ? "names of dofs" : "bodies") : std::nullopt;
    const bool polynomial = value.has("polynomials");
    const auto factors =
        polynomial ? value.find("polynomials") : value.need("coefficients", "numbers, one per dof");
    if (const auto given = value.find("offset"))
        loop.offset = given->number().value_or(0.0);
    if (!list || !factors)
        return;
    for (const Value& item : *list)
        if (by_dof)
            loop.terms.push_back({item.text("the name of a dof").value_or(""), {}});
        else if (const auto dof = coupled_dof(item, what))
            loop.terms.push_back({*dof, {}});
    if (loop.terms.size() != list->size())
        return;
    const std::string expected =
        std::to_string(list->size()) + (polynomial ? " lists of numbers" : " numbers");
    if (!polynomial) {
        const auto numbers = factors->numbers(list->size(), expected);
        for (std::size_t i = 0; numbers && i < loop.terms.size(); ++i)
            loop.terms[i].polynomial = {(*numbers)[i]};
        return;
    }
    const auto lists = factors->list("lists of numbers");
    if (!lists)
        return;
    if (lists->size() != list->size())
        return factors->refuse(expected);
    for (std::size_t i = 0; i < lists->size(); ++i)
        if (const auto numbers = (*lists)[i].list("numbers"))
            for (const Value& number : *numbers)
                loop.terms[i].polynomial.push_back(number.number().value_or(0.0));
}

// The only dof of the hinge that carries the body.
std::optional<std::string> Reader::coupled_dof(const Value& item, const std::string& what)
{
    const auto body = body_name(item);
    if (!body)
        return std::nullopt;
    const auto found = hinge_of_.find(*body);
    if (found == hinge_of_.end()) {
        item.fault(what + ": " + (body->empty() ? "the ground" : "body " + detail::quoted(*body)) +
                   " hangs on no hinge, so there is nothing to couple");
        return std::nullopt;
    }
    const Hinge& hinge = builder_.hinges()[found->second];
    if (num_dofs(hinge) != 1) {
        item.fault(what + ": hinge " + detail::quoted(hinge.name) + " (" +
                   std::string(sweepdyn::name(hinge.kind)) + ") has " + std::to_string(num_dofs(hinge)) +
                   " dofs; name the coupled one in dofs");
        return std::nullopt;
    }
    return hinge.name;
}

} // namespace sweepdyn::native
