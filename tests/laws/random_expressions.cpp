// Laws of plans: whatever well-typed expression one writes, its plan gives what the matrices of its leaves give, multiplied,
// added and inverted. The expressions are random; the models are chains and forests with hinges of many dofs, with armature and
// without, and frames on the ground.
#include <array>

#include <Eigen/LU>

#include "support/stages.hpp"
#include "support/truth.hpp"
#include "sweepdyn/operators/evaluate.hpp"
#include "sweepdyn/operators/parse.hpp"

namespace sweepdyn::test {
namespace {

using algebra::Arena, algebra::Node, algebra::Plan, algebra::Registry, algebra::SpaceId;

// A matrix, and how large the terms are that each of its entries is the sum of.
struct Sized {
    MatrixXd value, terms;
};

class Truth {
public:
    Truth(Arena& arena, algebra::Stages<double>& stages) : arena_(arena), stages_(stages) {}

    const Sized& operator()(const Node* node)
    {
        const auto found = done_.find(node);
        return found != done_.end() ? found->second : done_[node] = make(node);
    }

private:
    Sized make(const Node* node)
    {
        const int rows = arena_.dimension(node->range), cols = arena_.dimension(node->domain);
        switch (node->kind) {
        case Node::Kind::identity: return {MatrixXd::Identity(rows, cols), MatrixXd::Identity(rows, cols)};
        case Node::Kind::leaf: {
            const Plan plan(arena_, node);
            stages_.prepare(plan);
            const MatrixXd A = dense(plan, stages_);
            // An entry that should be zero is not, by rounding.
            return {A, A.cwiseAbs().array() + 1e-3 * largest(A)};
        }
        case Node::Kind::product: {
            Sized out = (*this)(node->factors.front());
            for (std::size_t i = 1; i < node->factors.size(); ++i) {
                const Sized& next = (*this)(node->factors[i]);
                out = {out.value * next.value, out.terms * next.terms};
            }
            return out;
        }
        case Node::Kind::sum: {
            Sized out{MatrixXd::Zero(rows, cols), MatrixXd::Zero(rows, cols)};
            for (const auto& [c, term] : node->terms) {
                out.value += c * (*this)(term).value;
                out.terms += std::abs(c) * (*this)(term).terms;
            }
            return out;
        }
        case Node::Kind::inverse: break;
        }
        const Sized& inner = (*this)(node->factors.front());
        const MatrixXd A = inner.value.inverse();
        return {A, A.cwiseAbs() * inner.terms * A.cwiseAbs()};
    }

    Arena& arena_;
    algebra::Stages<double>& stages_;
    std::map<const Node*, Sized> done_;
};

// Expressions from the leaves of an arena and a few inverses, of wanted spaces.
class Writer {
public:
    Writer(Arena& arena, std::uint64_t seed) : arena_(arena), random_(seed)
    {
        for (const algebra::LeafFacts& f : algebra::leaves())
            if (f.domain != algebra::Space::one && f.leaf != algebra::Leaf::B)
                know(arena.leaf(f.leaf));
        using Names = std::vector<std::string>;
        for (const Names& frames : {Names{"t1", "floor", "t1", "root"}, {"t2"}}) {
            know(arena.pick_off(frames)), know(arena.unit_weights(frames));
            know(arena.inverse(arena.unit_weights(frames)));
        }
        for (const char* text :
             {"inverse(D)", "inverse(R)", "inverse(R_0)", "inverse(W)", "inverse(B_cm)", "inverse(Delta_phi)",
              "inverse(phi)", "inverse(psi)", "inverse(H*phi*M*adj(phi)*adj(H) + J_a)",
              "inverse(H*phi*M*adj(phi)*adj(H))", "inverse(I + H*phi*K)", "inverse(E*R*adj(E))",
              "I - H*psi*K", "inverse(I - E_phi + K*H)", "inverse(I - 0.5*S*tau_bar)",
              "inverse(I + 0.5*H*psi*K)"})
            know(parse(arena, text));
        const std::size_t n = spaces_.size();
        for (std::size_t i = 0; i < n; ++i) // the least number of factors between spaces
            for (std::size_t a = 0; a < n; ++a)
                for (std::size_t b = 0; b < n; ++b)
                    steps_[a][b] = std::min(steps_[a][b], steps_[a][i] + steps_[i][b]);
    }

    const Node* any()
    {
        for (;;)
            if (const SpaceId range = spaces_[below(spaces_.size())], domain = spaces_[below(spaces_.size())];
                steps_[number(range)][number(domain)] < far)
                return make(range, domain, 1 + static_cast<int>(below(3)));
    }

private:
    static constexpr int far = 99;

    void know(const Node* node)
    {
        for (const Node* each : {node, arena_.adjoint(node)}) {
            known_.push_back(each);
            const std::size_t range = number(each->range), domain = number(each->domain);
            steps_[range][domain] = range == domain ? 0 : 1;
        }
    }
    std::size_t number(SpaceId space)
    {
        const auto found = std::find(spaces_.begin(), spaces_.end(), space);
        const auto at = static_cast<std::size_t>(found - spaces_.begin());
        if (found == spaces_.end()) {
            spaces_.push_back(space);
            for (auto& row : steps_)
                row.resize(spaces_.size(), far);
            steps_.emplace_back(spaces_.size(), far);
            steps_[at][at] = 0;
        }
        return at;
    }
    std::size_t below(std::size_t n)
    {
        return std::min(n - 1, static_cast<std::size_t>(random_.uniform(0.0, static_cast<double>(n))));
    }
    bool chance(double p) { return random_.uniform(0.0, 1.0) < p; }

    const Node* make(SpaceId range, SpaceId domain, int depth)
    {
        if (depth > 0 && chance(0.4)) {
            constexpr std::array coefficients{1.0, -1.0, 2.0, -0.5};
            return arena_.sum(make(range, domain, depth - 1), make(range, domain, depth - 1),
                              coefficients[below(coefficients.size())]);
        }
        if (depth > 0 && range == domain && chance(0.2))
            return arena_.sum(arena_.identity(range), make(range, domain, depth - 1), -1.0);
        return product(range, domain, depth);
    }
    // As many factors as are needed, and up to two more.
    const Node* product(SpaceId range, SpaceId domain, int depth)
    {
        const std::size_t to = number(domain);
        const Node* out = arena_.identity(range);
        for (int left = steps_[number(range)][to] + static_cast<int>(below(3)); left > 0; --left) {
            std::vector<const Node*> fit;
            for (const Node* each : known_)
                if (each->range == out->domain && steps_[number(each->domain)][to] < left)
                    fit.push_back(each);
            if (fit.empty())
                return out;
            const Node* factor = fit[below(fit.size())];
            if (depth > 0 && chance(0.3))
                factor = make(factor->range, factor->domain, depth - 1);
            out = arena_.product(out, factor);
        }
        return out;
    }

    Arena& arena_;
    Random random_;
    std::vector<const Node*> known_;
    std::vector<SpaceId> spaces_;
    std::vector<std::vector<int>> steps_;
};

// A model with frames: two on the last body, one on a root and one on the ground.
Model framed(const std::string& spec, bool armature)
{
    ModelBuilder builder(*generate_model(spec));
    Random random(3);
    for (const auto& [name, body] : {std::pair<std::string, std::string>{"t1", builder.bodies().back().name},
                                     {"t2", builder.bodies().back().name},
                                     {"root", builder.bodies().front().name},
                                     {"floor", ""}})
        builder.add_frame({name, body, {random.rotation(), random.vector(0.3)}});
    if (armature)
        for (Hinge& hinge : builder.hinges()) {
            hinge.armature.clear();
            for (int i = 0; i < num_dofs(hinge); ++i)
                hinge.armature.push_back(random.uniform(0.05, 0.5));
        }
    return builder.build();
}

// One column per unit vector, by a Runner that has run before: nothing of the last run may be left.
MatrixXd columns_of(algebra::Runner<double>& run, const algebra::Stages<double>& stages)
{
    const Plan& plan = run.plan();
    const int rows = plan.dimension(plan.range()), cols = plan.dimension(plan.domain());
    MatrixXd unit = MatrixXd::Identity(cols, cols), out(rows, cols);
    run.many(stages, {unit.data(), static_cast<std::size_t>(unit.size())},
             {out.data(), static_cast<std::size_t>(out.size())});
    return out;
}

// Some that plans once got wrong: a term added behind a fused step, frames on the ground, a sum over the roots.
constexpr const char* once_wrong[] = {"(I - H*psi*K)*(I + J_a*inverse(D) - J_a*inverse(W))",
                                      "adj(I - H*psi*K)*(I + inverse(D)*J_a - inverse(D)*W)",
                                      "adj(B[floor])*Upsilon*B[floor] + inverse(W[floor])",
                                      "adj(B[t1,floor])*inverse(M)*B[t1,floor] - 2*inverse(W[t1,floor])",
                                      "adj(E)*inverse(R_0)*E"};
// f(arena, stages, expression, where) for those and for 200 random expressions of each model.
template <class F> void for_random_expressions(F f)
{
    std::uint64_t seed = 0;
    for (const char* spec :
         {"random:7:3", "random:9:5", "chain:4", "random:5:11", "random:1:2", "random:6:21", "random:8:4"})
        for (bool armature : {false, true}) {
            const ReferenceChoice& choice = ++seed % 3 == 0 ? by_pole : by_hinges;
            const Case c = make_case(framed(spec, armature), spec, Place::random, seed);
            Arena arena(c.model, choice.reference);
            algebra::Stages<double> stages(c.model, choice.reference);
            update<double>(stages.kin, c.q, c.v);
            const auto pass_on = [&](const Node* expression) {
                f(arena, stages, expression,
                  c.where + (armature ? ", armature" : "") + ", by " + choice.name + ": " +
                      to_text(arena, expression));
            };
            for (const char* text : once_wrong)
                pass_on(parse(arena, text));
            Writer writer(arena, seed);
            for (int i = 0; i < 200; ++i)
                pass_on(writer.any());
        }
}

TEST(RandomExpressions, AreTheProductsOfTheirLeaves)
{
    for_random_expressions(
        [](Arena& arena, algebra::Stages<double>& stages, const Node* expression, const std::string& where) {
            Truth truth(arena, stages);
            const Sized expected = truth(expression);
            for (Registry registry : {Registry::off, Registry::on}) {
                const Plan plan(arena, expression, registry);
                stages.prepare(plan);
                algebra::Runner<double> run(plan);
                const MatrixXd first = columns_of(run, stages);
                expect_equal("plan", where, first, expected.value, {.terms = largest(expected.terms)});
                EXPECT_EQ(columns_of(run, stages), first) << "another time, " << where;
            }
            const Plan adjoint(arena, arena.adjoint(expression));
            stages.prepare(adjoint);
            expect_equal("plan of the adjoint", where, dense(adjoint, stages),
                         MatrixXd(expected.value.transpose()), {.terms = largest(expected.terms)});
        });
}

// Which way information runs: a plan relies on it.
TEST(RandomExpressions, RunTheWayTheySay)
{
    using algebra::Direction;
    for_random_expressions(
        [](Arena& arena, algebra::Stages<double>& stages, const Node* expression, const std::string& where) {
            if (!is_body(expression->range.space) || !is_body(expression->domain.space))
                return;
            const Tree& tree = arena.model().tree();
            const auto carries = [&](int i, int k) { // k is outboard of i, or i
                while (k != ground && k != i)
                    k = tree.parent[static_cast<std::size_t>(k)];
                return k == i;
            };
            Truth truth(arena, stages);
            const auto& [value, terms] = truth(expression);
            const Direction way = algebra::direction(expression);
            for (int i = 0; i < tree.num_bodies(); ++i)
                for (int k = 0; k < tree.num_bodies(); ++k)
                    if (const bool may = way == Direction::mixed || i == k ||
                                         (way == Direction::causal && carries(i, k)) ||
                                         (way == Direction::anticausal && carries(k, i));
                        !may) {
                        EXPECT_LE(largest(value.block(6 * i, 6 * k, 6, 6)), 1e-12 * largest(terms)) << where;
                    }
        });
}

TEST(RandomExpressions, TakeNoMoreSweepsThanWritten)
{
    for_random_expressions(
        [](Arena& arena, algebra::Stages<double>&, const Node* expression, const std::string& where) {
            EXPECT_LE(Plan(arena, expression).sweeps(), sweeps_as_written(arena, expression)) << where;
        });
}

} // namespace
} // namespace sweepdyn::test
