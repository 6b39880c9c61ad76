#include "sweepdyn/io/results/inverse_kinematics.hpp"

#include <charconv>
#include <optional>

#include "state_json.hpp"
#include "sweepdyn/io/results/state.hpp"
#include "to_json.hpp"

namespace sweepdyn {
namespace {

using json::Json;
using json::shown;
using results::OrderedJson;
using Numbers = std::vector<double>;

constexpr const char* expected =
    "expected X,Y,Z (position), W,X,Y,Z (orientation, a quaternion), X,Y,Z,W,X,Y,Z (pose), "
    "look:X,Y,Z[,AX,AY,AZ], or JSON such as {\"p\": [0.4, 0, 0.6]}";

class Reading {
public:
    Reading(FrameId frame, std::string_view text, std::string_view where)
        : frame_(frame),
          text_(text),
          where_(where)
    {
    }
    FrameTask read() const { return text_.find('{') != text_.npos ? from_json() : from_numbers(); }

private:
    [[noreturn]] void refuse(const std::string& fault) const { throw StateError(where_, {fault}); }

    static Vec3<double> vector(const Numbers& a) { return {a[0], a[1], a[2]}; }

    Mat3<double> rotation(double w, double x, double y, double z) const
    {
        const Quaternion<double> q{w, x, y, z};
        if (const double length = norm(q); !(std::abs(length - 1.0) <= 1e-3))
            refuse("the quaternion [w, x, y, z] has length " + number_text(length) + ", expected 1");
        return rotation_matrix(q); // of any length
    }

    FrameTask from_numbers() const
    {
        std::string_view rest = text_;
        const bool look = rest.starts_with("look:");
        if (look)
            rest.remove_prefix(5);
        const Numbers a = comma_separated(rest);
        if (look && (a.size() == 3 || a.size() == 6))
            return FrameTask::look_at(
                frame_, a.size() == 6 ? Vec3<double>{a[3], a[4], a[5]} : Vec3<double>{0, 0, 1}, vector(a));
        if (!look && a.size() == 3)
            return FrameTask::position(frame_, vector(a));
        if (!look && a.size() == 4)
            return FrameTask::orientation(frame_, rotation(a[0], a[1], a[2], a[3]));
        if (!look && a.size() == 7)
            return FrameTask::pose(frame_, {rotation(a[3], a[4], a[5], a[6]), vector(a)});
        refuse("got '" + std::string(text_) + "', " + std::to_string(a.size()) + " numbers; " + expected);
    }
    Numbers comma_separated(std::string_view rest) const
    {
        Numbers out;
        for (bool more = true; more;) {
            const std::size_t end = std::min(rest.find(','), rest.size());
            std::string_view item = rest.substr(0, end);
            more = end < rest.size();
            rest.remove_prefix(more ? end + 1 : end);
            while (!item.empty() && item.front() == ' ')
                item.remove_prefix(1);
            while (!item.empty() && item.back() == ' ')
                item.remove_suffix(1);
            if (item.starts_with('+'))
                item.remove_prefix(1);
            double number = 0.0;
            const auto [stop, fault] = std::from_chars(item.data(), item.data() + item.size(), number);
            if (fault != std::errc{} || stop != item.data() + item.size() || !std::isfinite(number))
                refuse("got '" + std::string(text_) + "', where '" + std::string(item) + "' is no number; " +
                       expected);
            out.push_back(number);
        }
        return out;
    }

    FrameTask from_json() const
    {
        const Json json = results::parse_state_json(text_, where_);
        if (!json.is_object())
            refuse("got " + shown(json) + ", " + expected);
        static const std::vector<std::string> keys{"p", "quat", "R", "look_at", "axis"};
        for (const auto& [key, value] : json.items())
            if (std::find(keys.begin(), keys.end(), key) == keys.end())
                refuse(unknown_name("key", key, keys));
        const bool p = json.contains("p"), quat = json.contains("quat"), R = json.contains("R");
        if (json.contains("look_at")) {
            if (p || quat || R)
                refuse("look_at stands beside another target; give the frame twice, with a target each");
            return FrameTask::look_at(
                frame_, json.contains("axis") ? vector(numbers(json, "axis", 3)) : Vec3<double>{0, 0, 1},
                vector(numbers(json, "look_at", 3)));
        }
        if (json.contains("axis"))
            refuse("axis has a meaning beside look_at only");
        if (quat && R)
            refuse("quat and R both say the orientation; expected one of them");
        if (!p && !quat && !R)
            refuse("got " + shown(json) + ", " + expected);
        Pose<double> X;
        if (p)
            X.p = vector(numbers(json, "p", 3));
        if (quat) {
            const Numbers a = numbers(json, "quat", 4);
            X.R = rotation(a[0], a[1], a[2], a[3]);
        }
        if (R)
            X.R = rows(json["R"]);
        return p && (quat || R) ? FrameTask::pose(frame_, X)
               : p              ? FrameTask::position(frame_, X.p)
                                : FrameTask::orientation(frame_, X.R);
    }
    Numbers numbers(const Json& json, const std::string& key, std::size_t size) const
    {
        return numbers_of(json[key], key, size);
    }
    Numbers numbers_of(const Json& json, const std::string& key, std::size_t size) const
    {
        const bool right = json.is_array() && json.size() == size &&
                           std::all_of(json.begin(), json.end(), [](const Json& x) { return x.is_number(); });
        if (!right)
            refuse(key + ": got " + shown(json) + ", expected " + std::to_string(size) + " numbers");
        return json.get<Numbers>();
    }
    Mat3<double> rows(const Json& json) const
    {
        if (!json.is_array() || json.size() != 3)
            refuse("R: got " + shown(json) + ", expected three rows");
        Mat3<double> R;
        for (int i = 0; i < 3; ++i) {
            const Numbers row =
                numbers_of(json[static_cast<std::size_t>(i)], "R, row " + std::to_string(i + 1), 3);
            for (int j = 0; j < 3; ++j)
                R(i, j) = row[static_cast<std::size_t>(j)];
        }
        const Mat3<double> off = transpose(R) * R - Mat3<double>::identity();
        if (!(std::max({norm(off.x), norm(off.y), norm(off.z)}) < 1e-6) || !(dot(cross(R.x, R.y), R.z) > 0.0))
            refuse("R is no rotation, expected rows of unit length, orthogonal, right-handed");
        return R;
    }

    FrameId frame_;
    std::string_view text_, where_;
};

} // namespace

FrameTask read_frame_task(FrameId frame, std::string_view text, std::string_view where)
{
    return Reading(frame, text, where).read();
}

std::string write_inverse_kinematics(const InverseKinematics& ik, std::span<const double> q,
                                     ResultLayout layout)
{
    static constexpr const char* kinds[] = {"pose", "position", "orientation", "look_at"};
    const Model& model = ik.model();
    const InverseKinematicsResult& result = ik.result();
    OrderedJson out, answer, tasks = OrderedJson::array(), limits = OrderedJson::array();
    for (std::size_t i = 0; i < ik.tasks().size(); ++i) {
        OrderedJson task;
        task["frame"] = model.frame_at(ik.tasks()[i].frame).name;
        task["kind"] = kinds[static_cast<int>(ik.tasks()[i].kind)];
        task["angle"] = result.tasks[i].angle;
        task["distance"] = result.tasks[i].distance;
        tasks.push_back(std::move(task));
    }
    for (const auto& [dof, upper, limit] : result.limits) {
        OrderedJson active;
        active["dof"] = model.dof_names()[static_cast<std::size_t>(dof)];
        active["at"] = upper ? "upper" : "lower";
        active["limit"] = limit;
        limits.push_back(std::move(active));
    }
    answer["q"] = results::ToJson{"q"}.list(q);
    answer["solved"] = result.solved;
    answer["residual"] = result.residual;
    answer["seeds"] = result.seeds;
    answer["iterations"] = result.iterations;
    answer["tasks"] = std::move(tasks);
    answer["limits"] = std::move(limits);
    out["model"] = model.name();
    out["conventions"] = "sweepdyn-1";
    out["units"] = "SI";
    out["dofs"] = OrderedJson::array();
    for (const std::string& name : model.dof_names())
        out["dofs"].push_back(name);
    out["results"] = std::move(answer);
    return results::json_text(out, layout == ResultLayout::indented);
}

std::string write_configuration(std::span<const double> q)
{
    OrderedJson out;
    out["q"] = results::ToJson{"q"}.list(q);
    return results::json_text(out, false);
}

} // namespace sweepdyn
