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

/// The segments of a path as sent, not decoded: repeated slashes count once and one at the end does
/// not count. Nothing for a path that cannot be a route of ours: one that does not begin with a
/// slash, or begins with two.
std::optional<std::vector<std::string>> path_segments(std::string_view path);

/// The route that takes a request.
struct RouteFound {
    /// The number given to Router::add.
    std::size_t route = 0;
    /// Values of the {placeholders}, percent-decoded.
    std::map<std::string, std::string> path_values;
};

/// There is a route of that path, but not for this method.
struct WrongMethod {
    /// Those it is for.
    std::set<std::string> allowed;
};

/// There is no route of that path.
struct NoRoute {};

using RouteMatch = std::variant<RouteFound, WrongMethod, NoRoute>;

/// Finds routes by method and path. A literal segment is preferred to a {placeholder}, wherever the
/// routes were added. Paths are case sensitive. Looking up costs the length of the path, not the
/// number of routes.
class Router {
 public:
    Router();
    ~Router();
    Router(Router&&) noexcept;
    Router& operator=(Router&&) noexcept;

    /// Adds a route, for example add("GET", "/v2/clusters/{id}", 7). Throws std::logic_error when
    /// that method and path are taken.
    void add(std::string_view method, std::string_view pattern, std::size_t route);

    /// The route for a method and a path as sent. Segments that are no UTF-8 after decoding match
    /// no placeholder.
    RouteMatch find(std::string_view method, std::string_view path) const;

 private:
    struct Node;

    std::unique_ptr<Node> root_;
};

}  // namespace fcgi::http
