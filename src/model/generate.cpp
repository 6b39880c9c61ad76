#include "sweepdyn/model/generate.hpp"

#include <array>
#include <charconv>

#include "sweepdyn/model/builder.hpp"
#include "sweepdyn/model/random.hpp"

namespace sweepdyn {
namespace {

constexpr int largest_model = 100000;
constexpr double link_length = 0.3;

// A link along z: 1 kg, a solid cylinder of radius 0.04.
Body link(int k)
{
    constexpr double m = 1.0, r = 0.04, l = link_length;
    constexpr double across = m * (3.0 * r * r + l * l) / 12.0, along = m * r * r / 2.0;
    return {"link" + std::to_string(k), m, {0, 0, l / 2}, Sym3<double>::diagonal(across, across, along)};
}
// At the end of the parent, a little beside its axis, so that no two axes meet in all configurations.
Hinge joint(int k, int parent, int depth, double side)
{
    Hinge hinge;
    hinge.name = "joint" + std::to_string(k);
    hinge.kind = HingeKind::revolute;
    hinge.child = "link" + std::to_string(k);
    if (parent > 0) {
        hinge.parent = "link" + std::to_string(parent);
        hinge.X_PF.p = {side, 0, link_length};
    }
    hinge.axis = depth % 2 == 0 ? Vec3<double>{0, 0, 1} : Vec3<double>{0, 1, 0};
    return hinge;
}

void add_chain(ModelBuilder& builder, int n)
{
    for (int k = 1; k <= n; ++k)
        builder.add_body(link(k)).add_hinge(joint(k, k - 1, k - 1, 0.05));
    builder.add_frame({"tip", "link" + std::to_string(n), {Mat3<double>::identity(), {0, 0, link_length}}});
}

void add_tree(ModelBuilder& builder, int n)
{
    for (int k = 1; k <= n; ++k) {
        int depth = 0;
        for (int ancestor = k; ancestor > 1; ancestor /= 2)
            ++depth;
        builder.add_body(link(k)).add_hinge(joint(k, k / 2, depth, k % 2 == 0 ? -0.1 : 0.1));
    }
}

Pose<double> placement(Random& random, double size)
{
    Pose<double> X;
    X.R = random.rotation();
    X.p = random.vector(size);
    return X;
}
// Along a coordinate axis half of the time.
Vec3<double> axis(Random& random)
{
    static constexpr std::array<Vec3<double>, 6> along{
        {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}, {-1, 0, 0}, {0, -1, 0}, {0, 0, -1}}};
    return random.integer(0, 1) ? along[static_cast<std::size_t>(random.integer(0, 5))] : random.direction();
}

// A solid box, turned: whatever its sides, a body that can be.
Body random_body(Random& random, int k)
{
    Body body{"body" + std::to_string(k), random.uniform(0.5, 3.0), random.vector(0.1), {}};
    const double a = random.uniform(0.1, 0.4), b = random.uniform(0.1, 0.4), c = random.uniform(0.1, 0.4);
    const Sym3<double> box =
        (body.mass / 12.0) * Sym3<double>::diagonal(b * b + c * c, a * a + c * c, a * a + b * b);
    body.inertia_com = rotate(random.rotation(), box);
    return body;
}

std::vector<double> numbers(Random& random, int count, double low, double high)
{
    std::vector<double> out;
    for (int i = 0; i < count; ++i)
        out.push_back(random.uniform(low, high));
    return out;
}

Hinge random_hinge(Random& random, int k, int parent)
{
    const auto some = [&](int out_of_ten) { return random.integer(1, 10) <= out_of_ten; };
    Hinge hinge;
    hinge.name = "hinge" + std::to_string(k);
    hinge.child = "body" + std::to_string(k);
    hinge.kind = static_cast<HingeKind>(random.integer(0, static_cast<int>(HingeKind::user) - 1));
    if (parent > 0)
        hinge.parent = "body" + std::to_string(parent);
    hinge.X_PF = placement(random, 0.3);
    if (some(2) && hinge.kind != HingeKind::free) // a floating base is placed by its body frame
        hinge.X_CM = placement(random, 0.1);
    const Vec3<double> first = axis(random);
    Vec3<double> second = axis(random);
    while (norm(cross(first, second)) < 0.3)
        second = random.direction();
    const double pitch = random.uniform(-0.1, 0.1);
    switch (hinge.kind) {
    case HingeKind::weld:
    case HingeKind::spherical:
    case HingeKind::free: break;
    default: hinge.axis = first;
    }
    if (hinge.kind == HingeKind::universal)
        hinge.axis2 = second;
    if (hinge.kind == HingeKind::helical)
        hinge.pitch = pitch;

    const int dofs = num_dofs(hinge);
    if (some(3))
        hinge.armature = numbers(random, dofs, 0.01, 0.1);
    if (some(3))
        hinge.damping = numbers(random, dofs, 0.0, 1.0);
    if (some(2))
        hinge.friction = numbers(random, dofs, 0.0, 0.5);
    // Bounds of q where a coordinate is one number of its own.
    const bool bounded = hinge.kind == HingeKind::prismatic || hinge.kind == HingeKind::helical ||
                         hinge.kind == HingeKind::cylindrical || hinge.kind == HingeKind::universal;
    if (hinge.kind == HingeKind::revolute || (bounded && some(5))) {
        hinge.limits.lower = numbers(random, dofs, -2.5, -0.2);
        hinge.limits.upper = numbers(random, dofs, 0.2, 2.5);
    }
    if (some(3)) {
        hinge.limits.velocity = numbers(random, dofs, 1.0, 10.0);
        hinge.limits.effort = numbers(random, dofs, 10.0, 100.0);
    }
    return hinge;
}

void add_random(ModelBuilder& builder, int n, std::uint64_t seed)
{
    Random random(seed);
    for (int k = 1; k <= n; ++k) {
        // Half of the bodies go on where the last one ended; of the others one in ten hangs on the ground.
        const int branch = random.integer(0, 19);
        const int parent = k == 1 || branch == 0 ? 0 : branch < 10 ? random.integer(1, k - 1) : k - 1;
        builder.add_body(random_body(random, k)).add_hinge(random_hinge(random, k, parent));
        if (random.integer(0, 3) == 0)
            builder.add_frame(
                {"frame" + std::to_string(k), "body" + std::to_string(k), placement(random, 0.2)});
    }
}

// All of the text, or nothing.
template <class Integer> std::optional<Integer> whole(std::string_view text)
{
    Integer number{};
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
    if (error != std::errc{} || end != text.data() + text.size())
        return std::nullopt;
    return number;
}

} // namespace

std::optional<Model> generate_model(std::string_view spec)
{
    const std::size_t colon = spec.find(':');
    const std::string_view word = spec.substr(0, colon);
    if (colon == std::string_view::npos || (word != "chain" && word != "tree" && word != "random"))
        return std::nullopt;

    std::string_view size = spec.substr(colon + 1);
    std::optional<long long> seed = 0;
    if (word == "random") {
        const std::size_t second = size.find(':');
        seed = second == std::string_view::npos ? std::nullopt : whole<long long>(size.substr(second + 1));
        size = size.substr(0, second);
    }
    const std::optional<int> n = whole<int>(size);
    if (!n || *n < 1 || *n > largest_model || !seed)
        throw UsageError("model '" + std::string(spec) + "': expected " + std::string(word) +
                         (word == "random" ? ":N:SEED" : ":N") + ", N from 1 to " +
                         std::to_string(largest_model) +
                         (word == "random" ? ", SEED an integer, as in random:12:1"
                                           : ", as in " + std::string(word) + ":12"));

    ModelBuilder builder{std::string(spec)};
    if (word == "chain")
        add_chain(builder, *n);
    else if (word == "tree")
        add_tree(builder, *n);
    else
        add_random(builder, *n, static_cast<std::uint64_t>(*seed));
    return builder.build();
}

} // namespace sweepdyn
