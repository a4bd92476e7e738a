#include <boost/test/unit_test.hpp>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <map>
#include <set>
#include <string>
#include <vector>

// The one unit test that reads files: the sources themselves. A folder may include only what stands
// beside it here, and itself. Below the waterline means: fcgi must not reach it.
namespace {

namespace fs = std::filesystem;
using Names = std::set<std::string>;

const Names pure{"provisioner/base",       "provisioner/model",     "provisioner/solver",
                 "provisioner/planner",    "provisioner/macros",    "provisioner/identity",
                 "provisioner/statements", "provisioner/transcript"};

Names with(Names names, const Names& more) {
    names.insert(more.begin(), more.end());
    return names;
}

const Names desk =
    with(pure, {"provisioner/store", "provisioner/contents", "provisioner/operations"});
const Names engine =
    with(desk, {"provisioner/queue", "provisioner/remote", "provisioner/simulation",
                "provisioner/providers", "provisioner/automators", "provisioner/http",
                "provisioner/callbacks"});

const std::map<std::string, Names> allowed{
    {"provisioner/base", {}},
    {"provisioner/model", {"provisioner/base"}},
    {"provisioner/solver", {"provisioner/base", "provisioner/model"}},
    {"provisioner/planner", {"provisioner/base", "provisioner/model"}},
    {"provisioner/macros", {"provisioner/base", "provisioner/model"}},
    {"provisioner/identity", {"provisioner/base", "provisioner/model"}},
    {"provisioner/statements", {}},
    {"provisioner/transcript", {}},
    {"provisioner/store", pure},
    {"provisioner/http", {"provisioner/base"}},
    {"provisioner/contents", with(pure, {"provisioner/store", "provisioner/http"})},
    {"provisioner/operations", with(pure, {"provisioner/store", "provisioner/contents"})},
    {"provisioner/queue", pure},
    {"provisioner/callbacks",
     with(pure, {"provisioner/store", "provisioner/queue", "provisioner/http"})},
    {"provisioner/remote", {"provisioner/base"}},
    {"provisioner/simulation", {"provisioner/base", "provisioner/remote"}},
    {"provisioner/providers",
     {"provisioner/base", "provisioner/model", "provisioner/http", "provisioner/simulation"}},
    {"provisioner/automators",
     {"provisioner/base", "provisioner/identity", "provisioner/model", "provisioner/remote",
      "provisioner/simulation"}},
    {"provisioner/daemon", engine},
    {"provisioner/migrate", with(engine, {"provisioner/daemon"})},
    {"fcgi", desk},
};

/// How includes of each outside library begin, and the folders in which it may be seen.
const std::vector<std::pair<std::string, Names>> libraries{
    {"cppdb/", {"provisioner/store"}},
    {"mysql_", {"provisioner/queue", "provisioner/migrate"}},
    {"cppconn/", {"provisioner/queue", "provisioner/migrate"}},
    {"libssh2", {"provisioner/remote"}},
    {"curl/", {"provisioner/http"}},
    {"fcgiapp.h", {"fcgi/http"}},
    {"kainjow/", {"fcgi/views"}},
    {"sodium", {"provisioner/identity"}},
    {"zlib.h", {"provisioner/transcript"}},
};

std::string folder_of(const std::string& path, int depth) {
    std::string folder;
    std::size_t at = 0;
    for (int i = 0; i < depth; ++i) {
        const auto slash = path.find('/', at);
        if (slash == std::string::npos) break;
        folder = path.substr(0, slash);
        at = slash + 1;
    }
    return folder;
}

/// "fcgi" is one room for the arrows; the folders of provisioner/ are each their own.
std::string room_of(const std::string& path) {
    return path.starts_with("fcgi/") ? "fcgi" : folder_of(path, 2);
}

struct Include {
    std::string from;
    std::string target;
    bool ours = false;
};

/// What an #include line names; `target` is empty for any other line.
Include include_of(const std::string& path, const std::string& line) {
    const auto hash = line.find_first_not_of(" \t");
    if (hash == std::string::npos || line[hash] != '#') return {};
    const auto word = line.find_first_not_of(" \t", hash + 1);
    if (word == std::string::npos || line.compare(word, 7, "include") != 0) return {};
    const auto open = line.find_first_of("<\"", word);
    if (open == std::string::npos) return {};
    const bool ours = line[open] == '"';
    const auto close = line.find(ours ? '"' : '>', open + 1);
    return {.from = path, .target = line.substr(open + 1, close - open - 1), .ours = ours};
}

std::vector<Include> includes_of(const std::string& path) {
    std::vector<Include> found;
    std::ifstream file(path);
    std::string line;
    while (std::getline(file, line)) {
        Include include = include_of(path, line);
        if (!include.target.empty()) found.push_back(std::move(include));
    }
    return found;
}

std::vector<std::string> all_sources() {
    std::vector<std::string> paths;
    for (const char* top : {"provisioner", "fcgi"}) {
        for (const auto& entry : fs::recursive_directory_iterator(top)) {
            const std::string extension = entry.path().extension();
            if (extension != ".cpp" && extension != ".hpp") continue;
            paths.push_back(entry.path().generic_string());
        }
    }
    return paths;
}

std::vector<Include> all_includes() {
    std::vector<Include> found;
    for (const std::string& path : all_sources()) {
        const auto more = includes_of(path);
        found.insert(found.end(), more.begin(), more.end());
    }
    return found;
}

}  // namespace

BOOST_AUTO_TEST_CASE(every_include_follows_an_arrow_of_the_stack) {
    const auto includes = all_includes();

    BOOST_REQUIRE(includes.size() > 100);

    for (const Include& include : includes) {
        if (!include.ours) continue;
        const std::string from = room_of(include.from);
        const std::string to = room_of(include.target);
        BOOST_REQUIRE_MESSAGE(allowed.contains(from), from + " is not in the table of folders");
        BOOST_TEST((to == from || allowed.at(from).contains(to)),
                   include.from + " must not include " + include.target);
    }
}

BOOST_AUTO_TEST_CASE(every_outside_library_is_seen_in_its_own_folder_only) {
    for (const Include& include : all_includes()) {
        for (const auto& [library, folders] : libraries) {
            if (include.ours || !include.target.starts_with(library)) continue;
            const bool at_home = std::any_of(folders.begin(), folders.end(), [&](const auto& home) {
                return include.from.starts_with(home + "/");
            });
            BOOST_TEST(at_home, include.from + " must not include " + include.target);
        }
    }
}

// CppDB shows a read that failed among its rows as one without rows. Statement and Rows do not.
BOOST_AUTO_TEST_CASE(only_what_looks_for_hidden_errors_uses_cppdb) {
    const Names allowed_to{"provisioner/store/session.hpp", "provisioner/store/session.cpp",
                           "provisioner/store/statement.hpp", "provisioner/store/statement.cpp"};

    for (const std::string& path : all_sources()) {
        if (allowed_to.contains(path)) continue;
        std::ifstream file(path);
        std::string line;
        while (std::getline(file, line)) {
            BOOST_TEST(line.find("cppdb") == std::string::npos,
                       path + " must not use CppDB: " + line);
        }
    }
}
