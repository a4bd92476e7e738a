#include "fcgi/http/router.hpp"

#include <functional>
#include <span>
#include <stdexcept>

#include "fcgi/http/form_data.hpp"
#include "provisioner/base/utf8.hpp"

namespace fcgi::http {
namespace {

struct Handler {
    std::size_t route = 0;
    /// Names of the placeholders, in the order of the path.
    std::vector<std::string> names;
};

bool is_placeholder(std::string_view segment) {
    return segment.starts_with('{') && segment.ends_with('}');
}

}  // namespace

struct Router::Node {
    std::map<std::string, std::unique_ptr<Node>, std::less<>> literals;
    std::unique_ptr<Node> placeholder;
    std::map<std::string, Handler, std::less<>> handlers;
};

namespace {

/// One walk through the tree for one request. The recursion is as deep as the longest pattern.
template <class Node>
struct Walk {
    std::string_view method;
    std::span<const std::string> segments;
    std::vector<std::string> values;
    /// Methods of every route that matches the path; filled also where the method does not match.
    std::set<std::string> methods;

    const Handler* at(const Node& node, std::size_t depth) {
        if (depth == segments.size()) return handler_of(node);
        const std::string segment = percent_decode(segments[depth]);
        if (const auto next = node.literals.find(segment); next != node.literals.end()) {
            if (const Handler* found = at(*next->second, depth + 1)) return found;
        }
        if (!node.placeholder || !provisioner::base::is_utf8(segment)) return nullptr;
        values.push_back(segment);
        if (const Handler* found = at(*node.placeholder, depth + 1)) return found;
        values.pop_back();
        return nullptr;
    }

    const Handler* handler_of(const Node& node) {
        for (const auto& [method_of_path, handler] : node.handlers) methods.insert(method_of_path);
        const auto found = node.handlers.find(method);
        return found == node.handlers.end() ? nullptr : &found->second;
    }
};

}  // namespace

Router::Router() : root_(std::make_unique<Node>()) {}
Router::~Router() = default;
Router::Router(Router&&) noexcept = default;
Router& Router::operator=(Router&&) noexcept = default;

std::optional<std::vector<std::string>> path_segments(std::string_view path) {
    if (!path.starts_with('/') || path.starts_with("//")) return std::nullopt;
    std::vector<std::string> segments;
    while (!path.empty()) {
        path.remove_prefix(1);
        const auto end = std::min(path.find('/'), path.size());
        if (end > 0) segments.emplace_back(path.substr(0, end));
        path.remove_prefix(end);
    }
    return segments;
}

void Router::add(std::string_view method, std::string_view pattern, std::size_t route) {
    const auto segments = path_segments(pattern);
    if (!segments) throw std::logic_error("no pattern of a path: " + std::string(pattern));
    Node* node = root_.get();
    Handler handler{route, {}};
    for (const std::string& segment : *segments) {
        const bool any = is_placeholder(segment);
        if (any) handler.names.push_back(segment.substr(1, segment.size() - 2));
        auto& next = any ? node->placeholder : node->literals[segment];
        if (!next) next = std::make_unique<Node>();
        node = next.get();
    }
    if (!node->handlers.emplace(method, std::move(handler)).second) {
        throw std::logic_error("two routes for " + std::string(method) + ' ' +
                               std::string(pattern));
    }
}

RouteMatch Router::find(std::string_view method, std::string_view path) const {
    const auto segments = path_segments(path);
    if (!segments) return NoRoute{};
    Walk<Node> walk{method, *segments, {}, {}};
    const Handler* handler = walk.at(*root_, 0);
    if (handler == nullptr && !walk.methods.empty()) return WrongMethod{std::move(walk.methods)};
    if (handler == nullptr) return NoRoute{};
    RouteFound found{handler->route, {}};
    for (std::size_t i = 0; i < handler->names.size(); ++i) {
        found.path_values[handler->names[i]] = walk.values[i];
    }
    return found;
}

}  // namespace fcgi::http
