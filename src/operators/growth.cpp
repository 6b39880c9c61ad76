// The growth of an expression's cost, counted on chains.
#include <algorithm>
#include <map>

#include "sweepdyn/model/generate.hpp"
#include "sweepdyn/operators/explain.hpp"

namespace sweepdyn::algebra {
namespace {

// The same expression on a chain; each frame becomes a link, the first that is met the one at the tip.
class OnChain {
public:
    OnChain(const Arena& from, Arena& chain) : from_(from), chain_(chain) {}

    const Node* operator()(const Node* node)
    {
        const auto found = done_.find(node);
        return found != done_.end() ? found->second : done_[node] = make(node);
    }

private:
    const Node* make(const Node* node)
    {
        switch (node->kind) {
        case Node::Kind::leaf: {
            const Node* leaf = node->leaf == Leaf::B
                                   ? chain_.pick_off(links(node->adjoint ? node->range : node->domain))
                               : node->leaf == Leaf::W && is_frame(node->range.space)
                                   ? chain_.unit_weights(links(node->range))
                               : node->leaf == Leaf::vector ? chain_.vector(space(node->range), node->name)
                               : node->leaf == Leaf::blocks ? blocks(node)
                                                            : chain_.leaf(node->leaf);
            return node->adjoint ? chain_.adjoint(leaf) : leaf;
        }
        case Node::Kind::identity: return chain_.identity(space(node->range));
        case Node::Kind::product: {
            const Node* out = (*this)(node->factors.front());
            for (std::size_t i = 1; i < node->factors.size(); ++i)
                out = chain_.product(out, (*this)(node->factors[i]));
            return out;
        }
        case Node::Kind::sum: {
            const Node* out = zero(space(node->range), space(node->domain));
            for (const auto& [c, term] : node->terms)
                out = chain_.sum(out, (*this)(term), c);
            return out;
        }
        case Node::Kind::inverse: break;
        }
        return chain_.inverse((*this)(node->factors.front()));
    }
    const Node* blocks(const Node* node)
    {
        return node->adjoint
                   ? chain_.blocks({dual(node->domain.space)}, {dual(node->range.space)}, node->name)
                   : chain_.blocks(node->range, node->domain, node->name);
    }
    const Node* zero(SpaceId range, SpaceId domain)
    {
        const Node *column = chain_.vector(range, "any"),
                   *row = chain_.adjoint(chain_.vector({dual(domain.space), domain.frames}, "any"));
        return chain_.scaled(0.0, chain_.product(column, row));
    }
    std::vector<std::string> links(SpaceId frames)
    {
        std::vector<std::string> out;
        for (FrameId frame : from_.frames(frames.frames)) {
            const std::string& name = from_.model().frame_at(frame).name;
            auto known = std::find(met_.begin(), met_.end(), name);
            if (known == met_.end())
                known = met_.insert(met_.end(), name);
            const int link = chain_.model().num_bodies() - 1 - static_cast<int>(known - met_.begin());
            if (link < 0)
                throw AlgebraError("more frames than links");
            out.push_back(chain_.model().bodies()[static_cast<std::size_t>(link)].name);
        }
        return out;
    }
    SpaceId space(SpaceId id)
    {
        return id.frames < 0 ? id : SpaceId{id.space, chain_.pick_off(links(id))->domain.frames};
    }

    const Arena& from_;
    Arena& chain_;
    std::map<const Node*, const Node*> done_;
    std::vector<std::string> met_; // frames
};

double operations(const Arena& arena, const Node* expression, const char* chain)
{
    Arena there(*generate_model(chain));
    const OperationCount c = cost(Plan(there, OnChain(arena, there)(expression)));
    return static_cast<double>(c.multiplications + c.additions + c.divisions);
}

} // namespace

std::optional<double> operations_per_body(const Arena& arena, const Node* expression)
{
    try {
        const double at_16 = operations(arena, expression, "chain:16"),
                     at_32 = operations(arena, expression, "chain:32"),
                     at_64 = operations(arena, expression, "chain:64");
        if (at_64 - at_32 == 2.0 * (at_32 - at_16))
            return (at_32 - at_16) / 16.0;
    } catch (const AlgebraError&) { // what this model has and a chain has not
    } catch (const RefusedError&) {
    }
    return std::nullopt;
}

} // namespace sweepdyn::algebra
