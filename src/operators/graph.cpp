#include "sweepdyn/operators/graph.hpp"

#include <algorithm>

namespace sweepdyn::algebra {
namespace {

std::string key_of(const Node& node)
{
    std::string key = std::to_string(static_cast<int>(node.kind)) + '|' +
                      std::to_string(static_cast<int>(node.leaf)) + (node.adjoint ? "*" : "") + '|' +
                      std::to_string(node.articulated.of) + '|' + node.name;
    for (const SpaceId& space : {node.range, node.domain})
        key += '|' + std::to_string(static_cast<int>(space.space)) + ',' + std::to_string(space.frames);
    for (const Node* factor : node.factors)
        key += '.' + std::to_string(factor->id);
    std::vector<std::string> terms; // a sum is the same in any order
    for (const Term& term : node.terms)
        terms.push_back('+' + number_text(term.coefficient) + '_' + std::to_string(term.node->id));
    std::sort(terms.begin(), terms.end());
    for (const std::string& term : terms)
        key += term;
    return key;
}

SpaceId dual(SpaceId id) { return {dual(id.space), id.frames}; }

// A single term, taken apart: coefficient and the rest.
Term as_term(const Node* node)
{
    if (node->kind == Node::Kind::sum && node->terms.size() == 1)
        return node->terms.front();
    return {1.0, node};
}

} // namespace

std::string Arena::space_name(SpaceId id) const
{
    std::string text(name(id.space));
    if (id.frames >= 0) {
        text += "[";
        for (FrameId frame : frames(id.frames))
            text += (text.back() == '[' ? "" : ",") + model().frame_at(frame).name;
        text += "]";
    }
    return text;
}

int Arena::dimension(SpaceId id) const
{
    return algebra::dimension(over_, id.space, id.frames < 0 ? 0 : frames(id.frames).size());
}

const Node* Arena::intern(Node node)
{
    std::string key = key_of(node);
    if (const auto found = index_.find(key); found != index_.end())
        return found->second;
    node.id = static_cast<int>(nodes_.size());
    node.arena = this;
    nodes_.push_back(std::make_unique<Node>(std::move(node)));
    return index_[std::move(key)] = nodes_.back().get();
}

const Node* Arena::leaf(Leaf which, Articulated of)
{
    const LeafFacts& f = facts(which);
    Node node;
    node.kind = Node::Kind::leaf, node.leaf = which, node.articulated = of;
    node.range = {f.range}, node.domain = {f.domain};
    return intern(std::move(node));
}

int Arena::frame_set(const char* leaf, const std::vector<std::string>& names)
{
    if (names.empty())
        throw AlgebraError(std::string(leaf) + " needs frames, as in " + leaf + "[tool]");
    std::vector<FrameId> set;
    for (const std::string& frame : names)
        set.push_back(model().frame(frame));
    auto found = std::find(frame_sets_.begin(), frame_sets_.end(), set);
    if (found == frame_sets_.end())
        found = frame_sets_.insert(found, set);
    return static_cast<int>(found - frame_sets_.begin());
}

const Node* Arena::pick_off(const std::vector<std::string>& names)
{
    Node node;
    node.kind = Node::Kind::leaf, node.leaf = Leaf::B;
    node.range = {Space::body_force}, node.domain = {Space::frame_force, frame_set("B", names)};
    return intern(std::move(node));
}

const Node* Arena::unit_weights(const std::vector<std::string>& names)
{
    Node node;
    node.kind = Node::Kind::leaf, node.leaf = Leaf::W;
    const int set = frame_set("W", names);
    node.range = {Space::frame_force, set}, node.domain = {Space::frame_motion, set};
    return intern(std::move(node));
}

const Node* Arena::vector(SpaceId space, const std::string& name)
{
    Node node;
    node.kind = Node::Kind::leaf, node.leaf = Leaf::vector, node.name = name;
    node.range = space;
    return intern(std::move(node));
}

const Node* Arena::blocks(SpaceId range, SpaceId domain, const std::string& name)
{
    Node node;
    node.kind = Node::Kind::leaf, node.leaf = Leaf::blocks, node.name = name;
    node.range = range, node.domain = domain;
    return intern(std::move(node));
}

const Node* Arena::identity(SpaceId space)
{
    Node node;
    node.range = node.domain = space;
    return intern(std::move(node));
}

const Node* Arena::product_of(std::vector<const Node*> factors)
{
    const SpaceId range = factors.front()->range, domain = factors.back()->domain;
    std::vector<const Node*> flat;
    double coefficient = 1.0;
    for (const Node* factor : factors) {
        const Term term = as_term(factor);
        coefficient *= term.coefficient;
        if (term.node->kind == Node::Kind::product)
            flat.insert(flat.end(), term.node->factors.begin(), term.node->factors.end());
        else if (term.node->kind != Node::Kind::identity)
            flat.push_back(term.node);
    }
    if (std::any_of(flat.begin(), flat.end(),
                    [](const Node* f) { return f->kind == Node::Kind::sum && f->terms.empty(); }))
        return sum_of({}, range, domain);
    const Node* out = flat.empty() ? identity(range) : flat.front();
    if (flat.size() > 1) {
        Node node;
        node.kind = Node::Kind::product;
        node.range = range, node.domain = domain;
        node.factors = std::move(flat);
        out = intern(std::move(node));
    }
    return scaled(coefficient, out);
}

void Arena::require_own(const Node* node) const
{
    if (node->arena != this)
        throw AlgebraError("an expression of model '" + node->arena->model().name() +
                           "' is used with the operators of model '" + model().name() +
                           (node->arena->model().name() == model().name() ? "', another Operators" : "'") +
                           "; make all of it from one Operators");
}

const Node* Arena::product(const Node* left, const Node* right)
{
    require_own(left), require_own(right);
    if (!(left->domain == right->range))
        throw AlgebraError("cannot multiply " + to_text(*this, left) + " * " + to_text(*this, right) +
                           ": the right factor lands in " + space_name(right->range) +
                           ", the left one acts on " + space_name(left->domain));
    return product_of({left, right});
}

// Flat, equal nodes added up, zeros gone.
const Node* Arena::sum_of(std::vector<Term> terms, SpaceId range, SpaceId domain)
{
    std::vector<Term> flat;
    const auto add = [&](double coefficient, const Node* node) {
        for (Term& term : flat)
            if (term.node == node) {
                term.coefficient += coefficient;
                return;
            }
        flat.push_back({coefficient, node});
    };
    for (const Term& term : terms)
        if (term.node->kind == Node::Kind::sum)
            for (const Term& inner : term.node->terms)
                add(term.coefficient * inner.coefficient, inner.node);
        else
            add(term.coefficient, term.node);
    std::erase_if(flat, [](const Term& term) { return term.coefficient == 0.0; });
    if (flat.size() == 1 && flat.front().coefficient == 1.0)
        return flat.front().node;
    Node node;
    node.kind = Node::Kind::sum;
    node.range = range, node.domain = domain;
    node.terms = std::move(flat);
    return intern(std::move(node));
}

const Node* Arena::sum(const Node* a, const Node* b, double coefficient_of_b)
{
    require_own(a), require_own(b);
    if (!(a->range == b->range && a->domain == b->domain))
        throw AlgebraError("cannot add " + to_text(*this, a) + " and " + to_text(*this, b) +
                           ": the first is " + space_name(a->range) + " <- " + space_name(a->domain) +
                           ", the second " + space_name(b->range) + " <- " + space_name(b->domain));
    return sum_of({{1.0, a}, {coefficient_of_b, b}}, a->range, a->domain);
}

const Node* Arena::scaled(double coefficient, const Node* a)
{
    return sum_of({{coefficient, a}}, a->range, a->domain);
}

const Node* Arena::adjoint(const Node* a)
{
    switch (a->kind) {
    case Node::Kind::leaf: {
        if (facts(a->leaf).symmetric)
            return a;
        Node node = *a;
        node.adjoint = !a->adjoint;
        node.range = dual(a->domain), node.domain = dual(a->range);
        return intern(std::move(node));
    }
    case Node::Kind::identity: return identity(dual(a->range));
    case Node::Kind::product: {
        std::vector<const Node*> factors;
        for (auto factor = a->factors.rbegin(); factor != a->factors.rend(); ++factor)
            factors.push_back(adjoint(*factor));
        return product_of(std::move(factors));
    }
    case Node::Kind::sum: {
        std::vector<Term> terms;
        for (const Term& term : a->terms)
            terms.push_back({term.coefficient, adjoint(term.node)});
        return sum_of(std::move(terms), dual(a->domain), dual(a->range));
    }
    case Node::Kind::inverse: break;
    }
    return inverse(adjoint(a->factors.front()));
}

const Node* Arena::inverse(const Node* a)
{
    if (a->kind == Node::Kind::identity)
        return a;
    if (a->kind == Node::Kind::inverse)
        return a->factors.front();
    if (const Term term = as_term(a); term.node != a)
        return scaled(1.0 / term.coefficient, inverse(term.node));
    if (a->kind == Node::Kind::sum &&
        !a->terms.empty()) { // c (A + ...): of the identity, else of the first term
        double c = a->terms.front().coefficient;
        for (const Term& term : a->terms)
            if (term.node->kind == Node::Kind::identity)
                c = term.coefficient;
        if (c != 1.0)
            return scaled(1.0 / c, inverse(scaled(1.0 / c, a)));
    }
    // The famous two, and their adjoints.
    const Node *I = identity({Space::body_force}), *E_phi = leaf(Leaf::E_phi), *E_psi = leaf(Leaf::E_psi);
    const Node* KH = product(leaf(Leaf::K), leaf(Leaf::H));
    const auto is = [&](const Node* form) { return a == form || a == adjoint(form); };
    const auto which = [&](Leaf famous) {
        return a->range.space == Space::body_force ? leaf(famous) : adjoint(leaf(famous));
    };
    if (a->range == a->domain && is_body(a->range.space)) {
        if (is(sum(I, E_phi, -1.0)))
            return which(Leaf::phi);
        if (is(sum(I, E_psi, -1.0)) || is(sum(sum(I, E_phi, -1.0), KH)))
            return which(Leaf::psi);
    }
    if (dimension(a->range) != dimension(a->domain))
        throw AlgebraError("inverse(" + to_text(*this, a) + "): it maps " + space_name(a->domain) + " (" +
                           std::to_string(dimension(a->domain)) + " numbers) to " + space_name(a->range) +
                           " (" + std::to_string(dimension(a->range)) +
                           "); only square operators have an inverse");
    Node node;
    node.kind = Node::Kind::inverse;
    node.range = a->domain, node.domain = a->range;
    node.factors = {a};
    return intern(std::move(node));
}

Direction direction(const Node* node)
{
    const auto join = [](Direction a, Direction b) {
        return a == Direction::memoryless ? b : b == Direction::memoryless || a == b ? a : Direction::mixed;
    };
    Direction out = Direction::memoryless;
    switch (node->kind) {
    case Node::Kind::leaf:
        out = facts(node->leaf).direction;
        if (node->adjoint && out != Direction::memoryless)
            out = Direction::anticausal;
        break;
    case Node::Kind::identity: break;
    case Node::Kind::product:
    case Node::Kind::inverse:
        for (const Node* factor : node->factors)
            out = join(out, direction(factor));
        break;
    case Node::Kind::sum:
        for (const Term& term : node->terms)
            out = join(out, direction(term.node));
    }
    return out;
}

bool strictly_moves(const Node* node)
{
    const auto all_terms = [](const Node* sum) {
        return std::all_of(sum->terms.begin(), sum->terms.end(),
                           [](const Term& term) { return strictly_moves(term.node); });
    };
    switch (node->kind) {
    case Node::Kind::leaf:
        return node->leaf == Leaf::E_phi || node->leaf == Leaf::S || node->leaf == Leaf::K ||
               node->leaf == Leaf::E_psi;
    case Node::Kind::product: return std::any_of(node->factors.begin(), node->factors.end(), strictly_moves);
    case Node::Kind::sum: return all_terms(node);
    default: return false;
    }
}

} // namespace sweepdyn::algebra
