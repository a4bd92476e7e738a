#pragma once

#include <cstddef>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace fcgi::http {

/// The segments of a path as sent, not decoded. Repeated slashes count once, and one at the end
/// does not count; "/" has no segments. Nothing for a path that does not begin with a slash or that
/// begins with two: such a path is never a route.
std::optional<std::vector<std::string>> path_segments(std::string_view path);

/// The route that takes a request.
struct RouteFound {
    /// The number that was given to Router::add.
    std::size_t route = 0;
    /// Placeholder name -> value, percent-decoded and valid UTF-8.
    std::map<std::string, std::string> path_values;
};

/// The path has routes, but none for this method.
struct WrongMethod {
    /// Methods of all routes that match the path. Never empty.
    std::set<std::string> allowed;
};

/// No route matches the path.
struct NoRoute {};

/// The result of Router::find.
using RouteMatch = std::variant<RouteFound, WrongMethod, NoRoute>;

/// Finds the route for a method and a path. The routes form a tree with one level per segment.
///
/// At each level the literal segment is tried first. If nothing below it has a route for the
/// method, the {placeholder} is tried. The order in which routes were added does not matter. Paths
/// are case sensitive.
///
/// A lookup costs the length of the path, not the number of routes. add() must not run beside other
/// calls; find() may be called from several threads at once.
class Router {
 public:
    /// Movable, not copyable. Defined in the .cpp, because Node is incomplete here.
    Router();
    ~Router();
    Router(Router&&) noexcept;
    Router& operator=(Router&&) noexcept;

    /// Adds a route, for example add("GET", "/v2/clusters/{id}", 7). Throws std::logic_error if the
    /// method and path are taken, or if `pattern` is not a path. Two patterns that differ only in
    /// the names of placeholders are the same path.
    void add(std::string_view method, std::string_view pattern, std::size_t route);

    /// The route for a method and a path as sent. Literal segments are compared after
    /// percent-decoding. A segment that is not valid UTF-8 after decoding matches no placeholder.
    RouteMatch find(std::string_view method, std::string_view path) const;

 private:
    /// One level of the tree.
    struct Node;

    std::unique_ptr<Node> root_;
};

}  // namespace fcgi::http
