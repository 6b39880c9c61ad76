#include "urdf_tree.hpp"

#include <algorithm>

#include <fmt/format.h>

namespace sweepdyn::urdf_reader {
namespace {

constexpr int none = -1;
constexpr int lost = -2; // hangs on a joint whose parent nobody knows: neither a root nor placed

struct Search {
    const Robot& robot;
    Report& report;
    std::map<std::string, int> link_index{};
    std::vector<std::string> link_names{};
    std::vector<int> parent{}, joint_of{}; // of each link
};

int find_link(const Search& s, const std::string& name, const Joint& joint, const char* role)
{
    if (name.empty())
        return lost; // missing, and reported
    if (const auto found = s.link_index.find(name); found != s.link_index.end())
        return found->second;
    s.report.fault(*joint.element->FirstChildElement(role), unknown_name("link", name, s.link_names));
    return lost;
}

void hang_links(Search& s)
{
    const auto& joints = s.robot.joints;
    for (std::size_t j = 0; j < joints.size(); ++j) {
        const int parent = find_link(s, joints[j].hinge.parent, joints[j], "parent");
        const int child = find_link(s, joints[j].hinge.child, joints[j], "child");
        if (child == lost)
            continue;
        if (s.joint_of[child] == none) {
            s.joint_of[child] = static_cast<int>(j);
            s.parent[child] = parent;
        } else
            s.report.fault(*s.robot.links[child].element,
                           fmt::format("the link has two parents: it is the child of {} and of {}; a URDF is "
                                       "a tree, so remove one",
                                       where(*joints[s.joint_of[child]].element), where(*joints[j].element)));
    }
}

std::string list(const std::vector<std::string>& items)
{
    constexpr std::size_t longest = 8;
    std::string text;
    for (std::size_t i = 0; i < std::min(items.size(), longest); ++i)
        text += (i ? ", " : "") + items[i];
    return items.size() > longest ? text + fmt::format(" and {} more", items.size() - longest) : text;
}

// Each cycle once: walk to the parents; a link met again in the same walk closes one.
void find_cycles(const Search& s)
{
    const int n = static_cast<int>(s.parent.size());
    std::vector<int> walk_of(s.parent.size(), none);
    for (int start = 0; start < n; ++start) {
        int at = start;
        while (at >= 0 && walk_of[at] == none) {
            walk_of[at] = start;
            at = s.parent[at];
        }
        if (at < 0 || walk_of[at] != start)
            continue;
        std::vector<std::string> joints;
        int link = at;
        do {
            joints.push_back(where(*s.robot.joints[s.joint_of[link]].element));
            link = s.parent[link];
        } while (link != at);
        s.report.fault(
            *s.robot.links[at].element,
            fmt::format("the link hangs on itself, through {}; a URDF is a tree, so remove one of them",
                        list(joints)));
    }
}

int find_root(const Search& s)
{
    std::vector<std::string> roots;
    int root = none;
    for (std::size_t k = 0; k < s.parent.size(); ++k)
        if (s.parent[k] == none) {
            root = root == none ? static_cast<int>(k) : root;
            roots.push_back(where(*s.robot.links[k].element));
        }
    if (roots.size() > 1)
        s.report.faults.push_back(fmt::format(
            "{} links are the child of no joint: {}; expected one root link: connect the others by joints "
            "(type=\"fixed\" if they do not move) or remove them",
            roots.size(), list(roots)));
    return root;
}

std::vector<int> depth_first(const Search& s, int root)
{
    std::vector<std::vector<int>> children(s.parent.size()); // in the order of the joints
    for (const Joint& joint : s.robot.joints) {
        const int child = s.link_index.at(joint.hinge.child);
        children[s.parent[child]].push_back(child);
    }
    std::vector<int> order, stack{root};
    while (!stack.empty()) {
        const int link = stack.back();
        stack.pop_back();
        order.push_back(link);
        stack.insert(stack.end(), children[link].rbegin(), children[link].rend());
    }
    return order;
}

} // namespace

std::optional<Layout> lay_out(const Robot& robot, Report& report)
{
    // Where the tree is broken, a misspelt link or joint may be why.
    const auto tell_ignored = [&] {
        report.faults.insert(report.faults.end(), report.parts_ignored.begin(), report.parts_ignored.end());
    };
    if (robot.links.empty()) {
        if (!robot.element->FirstChildElement("link")) // else each has its fault
            report.faults.push_back("there is no <link> in <robot>; expected at least one");
        tell_ignored();
        return std::nullopt;
    }
    const std::size_t faults_before = report.faults.size();
    Search s{robot, report};
    for (const Link& link : robot.links) {
        s.link_index.emplace(link.body.name, static_cast<int>(s.link_names.size()));
        s.link_names.push_back(link.body.name);
    }
    s.parent.assign(robot.links.size(), none);
    s.joint_of.assign(robot.links.size(), none);
    hang_links(s);
    find_cycles(s);
    const int root = find_root(s);
    if (report.faults.size() > faults_before)
        tell_ignored();
    if (!report.faults.empty())
        return std::nullopt;
    return Layout{root, s.joint_of, depth_first(s, root)};
}

} // namespace sweepdyn::urdf_reader
