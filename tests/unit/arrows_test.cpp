#include <boost/test/unit_test.hpp>

#include <algorithm>
#include <cctype>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>
#include <regex>
#include <set>
#include <string>
#include <vector>

#include "provisioner/base/settings.hpp"

// The one unit test that reads files: the sources themselves. A folder may include only what stands
// beside it here, and itself. Below the waterline means: fcgi must not reach it.
namespace {

namespace fs = std::filesystem;
using Names = std::set<std::string>;

const Names pure{"provisioner/base",      "provisioner/metrics",    "provisioner/model",
                 "provisioner/solver",    "provisioner/planner",    "provisioner/macros",
                 "provisioner/identity",  "provisioner/statements", "provisioner/transcript",
                 "provisioner/inventory", "provisioner/messages"};

Names with(Names names, const Names& more) {
    names.insert(more.begin(), more.end());
    return names;
}

const Names web_side =
    with(pure, {"provisioner/privileges", "provisioner/programs", "provisioner/store",
                "provisioner/contents", "provisioner/operations"});
const Names engine =
    with(web_side, {"provisioner/queue", "provisioner/remote", "provisioner/simulation",
                    "provisioner/providers", "provisioner/automators", "provisioner/http_client",
                    "provisioner/callbacks"});

const std::map<std::string, Names> allowed{
    {"provisioner/base", {}},
    {"provisioner/metrics", {"provisioner/base"}},
    {"provisioner/model", {"provisioner/base"}},
    {"provisioner/solver", {"provisioner/base", "provisioner/model"}},
    {"provisioner/planner", {"provisioner/base", "provisioner/model"}},
    {"provisioner/macros", {"provisioner/base", "provisioner/model"}},
    {"provisioner/messages", {}},
    {"provisioner/identity", {"provisioner/base", "provisioner/model"}},
    {"provisioner/inventory", {"provisioner/base"}},
    {"provisioner/programs", {"provisioner/base"}},
    {"provisioner/statements", {}},
    {"provisioner/transcript", {}},
    {"provisioner/connection", {"provisioner/base"}},
    {"provisioner/store", with(pure, {"provisioner/connection"})},
    {"provisioner/http_client", {"provisioner/base"}},
    {"provisioner/contents", with(pure, {"provisioner/store", "provisioner/http_client"})},
    {"provisioner/federation",
     {"provisioner/base", "provisioner/model", "provisioner/identity", "provisioner/http_client"}},
    {"provisioner/operations",
     with(pure, {"provisioner/store", "provisioner/contents", "provisioner/federation"})},
    {"provisioner/privileges", {"provisioner/base"}},
    {"provisioner/queue", with(pure, {"provisioner/connection"})},
    {"provisioner/callbacks",
     with(pure, {"provisioner/store", "provisioner/queue", "provisioner/http_client"})},
    {"provisioner/remote", {"provisioner/base", "provisioner/identity"}},
    {"provisioner/simulation", {"provisioner/base", "provisioner/remote"}},
    {"provisioner/providers",
     {"provisioner/base", "provisioner/identity", "provisioner/inventory", "provisioner/model",
      "provisioner/http_client", "provisioner/privileges", "provisioner/programs",
      "provisioner/simulation"}},
    {"provisioner/automators",
     {"provisioner/base", "provisioner/identity", "provisioner/model", "provisioner/remote",
      "provisioner/simulation"}},
    {"provisioner/daemon", engine},
    {"provisioner/migrate", with(engine, {"provisioner/connection", "provisioner/daemon"})},
    {"fcgi", web_side},
};

/// The inner rooms of the large folders, and the rooms beside them that each may include. Files
/// outside of an inner room are the ground that all of them share, unless `tops` names them.
struct InnerRooms {
    std::map<std::string, Names> rooms;
    /// Files that stand above the inner rooms and are included by none of them.
    Names tops{};
};

const std::map<std::string, InnerRooms> inner_rooms{
    {"fcgi/api",
     {{{"access", {}},
       {"audit", {}},
       {"catalogue", {}},
       {"changes", {}},
       {"clusters", {}},
       {"daemons", {}},
       {"jobs", {}},
       {"machines", {}},
       {"plugins", {}},
       {"tenants", {}}}}},
    {"fcgi/pages",
     {.rooms = {{"access", {"kept"}},
                {"audit", {"differences", "kept"}},
                {"catalogue", {"access", "audit", "clusters", "differences", "kept"}},
                {"changes", {"clusters", "kept"}},
                {"clusters", {"differences", "jobs", "kept"}},
                {"daemons", {}},
                {"differences", {}},
                {"home", {"access", "catalogue", "daemons"}},
                {"jobs", {}},
                {"kept", {}},
                {"machines", {"audit", "clusters", "differences", "kept", "people"}},
                {"people", {"kept", "profile", "tenants"}},
                {"profile", {"kept", "tenants"}},
                {"search", {"catalogue", "clusters"}},
                {"tenants", {"audit", "kept"}}},
      .tops = {"routes"}}},
    {"provisioner/automators",
     {.rooms = {{"ansible", {}}, {"chef", {}}, {"docker", {}}, {"puppet", {}}, {"shell", {}}},
      .tops = {"registry"}}},
    {"provisioner/daemon",
     {.rooms = {{"claims", {}},
                {"machines", {"redaction", "tasks"}},
                {"metrics", {}},
                {"redaction", {}},
                {"tasks", {"claims", "redaction"}},
                {"upkeep", {"machines"}}},
      .tops = {"engine", "main"}}},
    {"provisioner/federation", {{{"ldap", {}}, {"oidc", {}}}}},
    {"provisioner/migrate", {.rooms = {{"backup", {"server"}}, {"server", {}}}, .tops = {"main"}}},
    {"provisioner/model",
     {{{"access", {"catalogue", "tenants"}},
       {"audit", {"plugins", "tenants"}},
       {"catalogue", {}},
       {"clusters", {"catalogue"}},
       {"jobs", {"clusters"}},
       {"machines", {"clusters"}},
       {"plugins", {"catalogue", "tenants"}},
       {"tenants", {"catalogue", "jobs", "machines"}}}}},
    {"provisioner/operations",
     {{{"access", {}},
       {"catalogue", {"access"}},
       {"changes", {"access", "catalogue", "clusters", "jobs", "prices"}},
       {"clusters", {"access", "catalogue", "jobs", "prices"}},
       {"daemons", {"prices"}},
       {"identity_providers", {"access", "sign_in"}},
       {"jobs", {"catalogue"}},
       {"machines", {"catalogue", "prices"}},
       {"plugins", {}},
       {"prices", {"catalogue"}},
       {"sign_in", {}},
       {"tenants", {"access", "catalogue", "clusters", "daemons", "jobs", "prices", "sign_in"}}}}},
    {"provisioner/providers",
     {.rooms = {{"aws", {"cloud"}},
                {"cloud", {}},
                {"cloudstack", {"cloud"}},
                {"digitalocean", {"cloud"}},
                {"existing", {"cloud"}},
                {"google", {"cloud"}},
                {"joyent", {"cloud"}},
                {"local", {}},
                {"metal", {"cloud", "existing"}},
                {"openstack", {"cloud"}},
                {"rackspace", {"cloud", "openstack"}},
                {"simulated", {}}},
      .tops = {"registry", "clouds"}}},
    {"provisioner/solver",
     {.rooms = {{"changes", {"layout"}}, {"explain", {"changes", "layout"}}, {"layout", {}}},
      .tops = {"solve"}}},
    {"provisioner/store",
     {{{"access", {"database"}},
       {"audit", {"database"}},
       {"catalogue", {"database"}},
       {"clusters", {"database"}},
       {"daemons", {"database"}},
       {"database", {}},
       {"forms", {"database"}},
       {"jobs", {"clusters", "database"}},
       {"machines", {"database"}},
       {"monitoring", {"database"}},
       {"overview", {"access", "clusters", "database", "tenants"}},
       {"plugins", {"database"}},
       {"sign_in", {"database", "forms", "tenants"}},
       {"tenants", {"database", "machines"}}}}},
};

/// The most sources in one folder: with more, nobody finds theirs at a glance.
constexpr int most_sources = 14;

/// How includes of each outside library begin, and the folders in which it may be seen.
const std::vector<std::pair<std::string, Names>> libraries{
    {"cppdb/", {"provisioner/store"}},
    {"mysql_", {"provisioner/queue", "provisioner/migrate"}},
    {"cppconn/", {"provisioner/queue", "provisioner/migrate"}},
    {"libssh2", {"provisioner/remote"}},
    {"openssl/",
     {"provisioner/federation", "provisioner/http_client", "provisioner/identity",
      "provisioner/providers"}},
    {"qrencode.h", {"fcgi/pages"}},
    {"pugixml", {"provisioner/providers"}},
    {"curl/", {"provisioner/http_client"}},
    {"cjose/", {"provisioner/federation"}},
    {"ldap.h", {"provisioner/federation"}},
    {"fcgiapp.h", {"fcgi/http"}},
    {"fido", {"provisioner/identity"}},
    {"kainjow/", {"fcgi/views"}},
    {"seccomp.h", {"provisioner/privileges"}},
    {"sodium", {"provisioner/identity"}},
    {"yaml.h", {"provisioner/inventory"}},
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

/// Where a file stands in its folder: an inner room, or "" for a file outside of them.
std::string inner_room_of(const std::string& path) {
    const fs::path below = fs::path(path).lexically_relative(folder_of(path, 2));
    return below.has_parent_path() ? below.begin()->string() : "";
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

BOOST_AUTO_TEST_CASE(inner_rooms_include_only_those_below_them) {
    for (const Include& include : all_includes()) {
        const auto folder = inner_rooms.find(folder_of(include.from, 2));
        if (folder == inner_rooms.end() || folder_of(include.target, 2) != folder->first) continue;
        const auto& [rooms, tops] = folder->second;
        const std::string from = inner_room_of(include.from);
        const std::string to = inner_room_of(include.target);
        const bool is_top = from.empty() && tops.contains(fs::path(include.from).stem());
        if (is_top || from == to) continue;

        BOOST_REQUIRE_MESSAGE(from.empty() || rooms.contains(from),
                              include.from + " is in a room that is not in the table");
        const bool to_top = to.empty() && tops.contains(fs::path(include.target).stem());
        const bool to_below = to.empty() || (!from.empty() && rooms.at(from).contains(to));
        BOOST_TEST((to_below && !to_top), include.from + " must not include " + include.target);
    }
}

BOOST_AUTO_TEST_CASE(no_folder_has_more_sources_than_one_finds_at_a_glance) {
    std::map<std::string, int> sources;
    for (const std::string& path : all_sources()) {
        if (path.ends_with(".cpp")) ++sources[fs::path(path).parent_path()];
    }

    for (const auto& [folder, count] : sources) {
        BOOST_TEST(count <= most_sources, folder + " has " + std::to_string(count) + " sources");
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

// CMakeLists.txt name their sources relative to their own folder or to one above it.
BOOST_AUTO_TEST_CASE(every_test_is_listed_in_a_suite) {
    const auto text_of = [](const fs::path& path) {
        std::ifstream file(path);
        std::string text{std::istreambuf_iterator<char>(file), {}};
        std::ranges::replace_if(
            text, [](unsigned char c) { return std::isspace(c) || c == ')'; }, ' ');
        return ' ' + text + ' ';
    };
    int tests = 0;
    for (const auto& entry : fs::recursive_directory_iterator("tests")) {
        const fs::path& path = entry.path();
        if (!path.filename().string().ends_with("_test.cpp")) continue;
        ++tests;
        bool is_listed = false;
        for (fs::path folder = path.parent_path(); !folder.empty() && !is_listed;
             folder = folder.parent_path()) {
            const std::string name = path.lexically_relative(folder).generic_string();
            is_listed =
                text_of(folder / "CMakeLists.txt").find(' ' + name + ' ') != std::string::npos;
        }
        BOOST_TEST(is_listed, path.string() + " is in no CMakeLists.txt: it never runs");
    }
    BOOST_TEST(tests > 100);
}

// A name that the table lacks would be refused as unknown, and have no default and no manual.
BOOST_AUTO_TEST_CASE(every_setting_that_a_program_reads_is_in_the_table) {
    const std::regex reading(
        "(get|get_or|number|number_or)\\(\\s*\"([a-z0-9_]+(\\.[a-z0-9_]+)+)\"");
    std::set<std::string> names;
    for (const std::string& path : all_sources()) {
        std::ifstream file(path);
        const std::string text{std::istreambuf_iterator<char>(file), {}};
        for (std::sregex_iterator at(text.begin(), text.end(), reading), end; at != end; ++at) {
            const std::string name = (*at)[2];
            names.insert(name);
            BOOST_TEST(provisioner::base::find_setting(name), path + " reads " + name);
        }
    }
    BOOST_TEST(names.size() > 25U);
}

// CppDB shows a read that failed among its rows as one without rows. Statement and Rows do not.
BOOST_AUTO_TEST_CASE(only_what_looks_for_hidden_errors_uses_cppdb) {
    const Names allowed_to{
        "provisioner/store/database/session.hpp", "provisioner/store/database/session.cpp",
        "provisioner/store/database/sessions.cpp", "provisioner/store/database/statement.hpp",
        "provisioner/store/database/statement.cpp"};

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
