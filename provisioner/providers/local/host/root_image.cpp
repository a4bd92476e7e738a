#include "provisioner/providers/local/host/root_image.hpp"

#include <sched.h>
#include <signal.h>
#include <sys/mount.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <iostream>
#include <set>
#include <sstream>

#include "provisioner/providers/local/host/state_dir.hpp"
#include "provisioner/providers/local/host/system.hpp"

namespace provisioner::providers::local {
namespace fs = std::filesystem;

namespace {

constexpr const char* release = "bookworm";
constexpr const char* debian = "http://deb.debian.org/debian";
constexpr const char* debian_security = "http://deb.debian.org/debian-security";

/// Packages of every host: a login, a network, and tools that setup scripts expect.
const std::vector<std::string> included = {
    "openssh-server", "iproute2",       "iputils-ping",    "ca-certificates", "curl",
    "gnupg",          "netcat-openbsd", "python3-minimal", "procps",          "sudo"};

constexpr const char* dpkg_settings =
    "force-unsafe-io\n"
    "path-exclude=/usr/share/doc/*\n"
    "path-include=/usr/share/doc/*/copyright\n"
    "path-exclude=/usr/share/man/*\n"
    "path-exclude=/usr/share/info/*\n"
    "path-exclude=/usr/share/locale/*\n"
    "path-include=/usr/share/locale/locale.alias\n";

// Hosts cannot reach a mirror: apt must neither wait for one nor delete its downloaded packages.
constexpr const char* apt_settings =
    "APT::Install-Recommends \"false\";\n"
    "Acquire::Languages \"none\";\n"
    "Acquire::Retries \"0\";\n"
    "Acquire::http::Timeout \"5\";\n"
    "APT::Keep-Downloaded-Packages \"true\";\n"
    "DPkg::Use-Pty \"false\";\n";

// A host's file system is an overlay, on which no other overlay can lie. Its limits are set from
// outside.
constexpr const char* container_storage =
    "[storage]\n"
    "driver = \"vfs\"\n"
    "runroot = \"/run/containers/storage\"\n"
    "graphroot = \"/var/lib/containers/storage\"\n";
constexpr const char* container_settings =
    "[containers]\n"
    "cgroups = \"disabled\"\n";

constexpr const char* start_services = "#!/bin/sh\nexit 0\n";
constexpr const char* start_no_services = "#!/bin/sh\nexit 101\n";

void say(const std::string& text) {
    static const auto begin = std::chrono::steady_clock::now();
    const auto passed = std::chrono::steady_clock::now() - begin;
    std::cerr << "[" << std::chrono::duration_cast<std::chrono::seconds>(passed).count() << " s] "
              << text << std::endl;
}

struct Source {
    std::string site;
    std::string release;
};

std::vector<Source> sources_in(std::string_view indextargets) {
    std::vector<Source> sources;
    std::istringstream lines{std::string(indextargets)};
    for (std::string line; std::getline(lines, line);) {
        std::istringstream words(line);
        Source source;
        if (words >> source.site >> source.release) sources.push_back(source);
    }
    return sources;
}

std::string output_or_nothing(const std::vector<std::string>& command) {
    try {
        return run_tool(command);
    } catch (const Failure&) {
        return "";
    }
}

/// The mirrors of a build. Debian's public ones, unless this machine's apt or the command line
/// names others.
struct Mirrors {
    std::string main = debian;
    std::string security = debian_security;
};

Mirrors mirrors_for(const RootRequest& request) {
    const std::string targets = output_or_nothing(
        {"apt-get", "indextargets", "--format", "$(SITE) $(RELEASE)", "Created-By: Packages"});
    Mirrors mirrors;
    for (const Source& source : sources_in(targets)) {
        if (source.release == std::string(release) + "-security") mirrors.security = source.site;
    }
    mirrors.main = request.mirror.empty() ? mirror_of(targets, debian) : request.mirror;
    return mirrors;
}

/// One build of a root.
struct Build {
    fs::path root;
    Mirrors mirrors;
    std::vector<std::string> install;
    std::vector<std::string> cache;
};

void in_root(const Build& build, const std::vector<std::string>& command) {
    std::vector<std::string> words = {"chroot",
                                      build.root,
                                      "env",
                                      "DEBIAN_FRONTEND=noninteractive",
                                      "LC_ALL=C.UTF-8",
                                      "APT_CONFIG=/etc/apt/fetch.conf"};
    words.insert(words.end(), command.begin(), command.end());
    run_tool(words);
}

void apt_get(const Build& build, std::vector<std::string> command,
             const std::vector<std::string>& packages) {
    command.insert(command.begin(), {"apt-get", "-q", "-y", "-o", "Acquire::Retries=3"});
    command.insert(command.end(), packages.begin(), packages.end());
    in_root(build, command);
}

void write_program(const fs::path& path, const char* text) {
    replace_file(path, text, 0755);
}

/// Written before debootstrap runs, because they also make it unpack faster.
void write_settings(const Build& build) {
    fs::create_directories(build.root / "etc/dpkg/dpkg.cfg.d");
    fs::create_directories(build.root / "etc/apt/apt.conf.d");
    replace_file(build.root / "etc/dpkg/dpkg.cfg.d/cooperage", dpkg_settings);
    replace_file(build.root / "etc/apt/apt.conf.d/90cooperage", apt_settings);
    fs::create_directories(build.root / "etc/containers");
    replace_file(build.root / "etc/containers/storage.conf", container_storage);
    replace_file(build.root / "etc/containers/containers.conf", container_settings);
}

void bootstrap(const Build& build) {
    say("debootstrap " + std::string(release) + " from " + build.mirrors.main);
    write_settings(build);
    run_tool({"debootstrap", "--variant=minbase", release, build.root, build.mirrors.main});
}

/// Puts in files and mounts that the build needs; give_back() removes them from the finished root.
void borrow_from_machine(const Build& build) {
    replace_file(build.root / "etc/resolv.conf", read_file("/etc/resolv.conf").value_or(""));
    replace_file(build.root / "etc/hosts", read_file("/etc/hosts").value_or(""));
    replace_file(build.root / "etc/apt/fetch.conf",
                 fetch_settings_of(output_or_nothing({"apt-config", "dump"})));
    write_program(build.root / "usr/sbin/policy-rc.d", start_no_services);
    if (mount("proc", (build.root / "proc").c_str(), "proc", 0, nullptr) != 0)
        fail("cannot mount /proc");
}

void give_back(const Build& build) {
    if (umount2((build.root / "proc").c_str(), MNT_DETACH) != 0) fail("cannot unmount /proc");
    replace_file(build.root / "etc/resolv.conf", "");
    replace_file(build.root / "etc/hosts", "127.0.0.1 localhost\n");
    fs::remove(build.root / "etc/apt/fetch.conf");
    write_program(build.root / "usr/sbin/policy-rc.d", start_services);
}

std::string words_of(const std::vector<std::string>& packages) {
    std::string words;
    for (const std::string& package : packages) words += " " + package;
    return words;
}

void install_packages(const Build& build) {
    replace_file(build.root / "etc/apt/sources.list",
                 sources_of(build.mirrors.main, build.mirrors.security));
    say("apt-get update, upgrade, and the packages every host has");
    apt_get(build, {"update"}, {});
    apt_get(build, {"dist-upgrade"}, {});
    apt_get(build, {"install"}, included);
    if (!build.install.empty()) {
        say("installing" + words_of(build.install));
        apt_get(build, {"install"}, build.install);
    }
    apt_get(build, {"clean"}, {});
    // Nobody can answer questions while a service is installed.
    in_root(build,
            {"sh", "-c",
             "echo debconf debconf/frontend select Noninteractive | debconf-set-selections"});
}

void fetch_cache(const Build& build) {
    const std::string fetched = words_of(build.cache);
    if (!build.cache.empty()) {
        say("fetching for hosts without a network:" + fetched);
        apt_get(build, {"install", "--download-only"}, build.cache);
    }
    // With this cache no host has to parse the package lists again.
    in_root(build, {"apt-cache", "gencaches"});
    replace_file(build.root / "etc/cooperage-packages",
                 (words_of(build.install) + fetched).substr(1) + "\n");
}

/// Removes keys and ids that must differ between hosts, and manuals.
void remove_identity(const Build& build) {
    for (const auto& entry : fs::directory_iterator(build.root / "etc/ssh")) {
        if (entry.path().filename().string().starts_with("ssh_host_")) fs::remove(entry.path());
    }
    replace_file(build.root / "etc/machine-id", "");
    fs::remove_all(build.root / "var/lib/dbus/machine-id");
    for (const char* folder : {"usr/share/man", "usr/share/info"}) {
        for (const auto& entry : fs::directory_iterator(build.root / folder)) {
            fs::remove_all(entry.path());
        }
    }
}

void carry_out(const Build& build) {
    bootstrap(build);
    borrow_from_machine(build);
    install_packages(build);
    fetch_cache(build);
    give_back(build);
    remove_identity(build);
}

/// Builds in a child with mount and PID namespaces of its own. When the child ends, or this program
/// dies (PR_SET_PDEATHSIG), the kernel removes all its processes and mounts.
void carry_out_apart(const Build& build) {
    const auto child =
        static_cast<pid_t>(syscall(SYS_clone, CLONE_NEWNS | CLONE_NEWPID | SIGCHLD, 0, 0, 0, 0));
    if (child < 0) fail("cannot make namespaces (is this root?)");
    if (child == 0) {
        prctl(PR_SET_PDEATHSIG, SIGKILL);
        try {
            mount("", "/", nullptr, MS_REC | MS_PRIVATE, nullptr);
            mount("proc", "/proc", "proc", MS_NOSUID | MS_NODEV | MS_NOEXEC, nullptr);
            carry_out(build);
            _exit(0);
        } catch (const std::exception& error) {
            std::cerr << "cooperage-local-host: " << error.what() << std::endl;
            _exit(1);
        }
    }
    int status = 0;
    waitpid(child, &status, 0);
    if (status != 0) throw Failure("the root " + build.root.string() + " could not be built");
}

void report_existing(const fs::path& target, const std::vector<std::string>& wanted) {
    std::istringstream words(read_file(target / "etc/cooperage-packages").value_or(""));
    std::set<std::string> there;
    for (std::string word; words >> word;) there.insert(word);
    say("the root " + target.string() + " is there already");
    for (const std::string& package : wanted) {
        if (there.contains(package)) continue;
        say("note: it holds no package " + package +
            "; to have it, stop all hosts, remove the root and build it again");
    }
}

}  // namespace

const std::vector<std::string>& default_cache() {
    static const std::vector<std::string> packages = {"haproxy", "mariadb-server", "python3",
                                                      "python3-pymysql"};
    return packages;
}

std::string mirror_of(std::string_view indextargets, const std::string& fallback) {
    for (const Source& source : sources_in(indextargets)) {
        const bool plain = source.release.find('-') == std::string::npos;
        if (plain && source.site.ends_with("/debian")) return source.site;
    }
    return fallback;
}

std::string sources_of(const std::string& mirror, const std::string& security) {
    const std::string name = release;
    return "deb " + mirror + " " + name + " main\n" +          //
           "deb " + mirror + " " + name + "-updates main\n" +  //
           "deb " + security + " " + name + "-security main\n";
}

std::string fetch_settings_of(std::string_view dump) {
    std::istringstream lines{std::string(dump)};
    std::string settings;
    for (std::string line; std::getline(lines, line);) {
        for (const char* wanted : {"Acquire::http::", "Acquire::https::", "Acquire::Check-"}) {
            if (line.starts_with(wanted)) settings += line + "\n";
        }
    }
    return settings;
}

void build_root(const RootRequest& request) {
    const fs::path target = mountable(request.target);
    const bool says_nothing = request.cache.empty() && request.install.empty();
    const auto& cache = says_nothing ? default_cache() : request.cache;
    fs::create_directories(target.parent_path());
    const std::string hidden = "." + target.filename().string();
    // Two builds of one root take turns; the second finds the target. The rename makes the root
    // appear only when it is complete, so `start` never uses half of one.
    FileLock turn(target.parent_path() / (hidden + ".lock"), LockKind::exclusive);
    if (fs::exists(target)) {
        std::vector<std::string> wanted = request.install;
        wanted.insert(wanted.end(), cache.begin(), cache.end());
        report_existing(target, wanted);
        return turn.remove();
    }
    const Build build{target.parent_path() / (hidden + ".building"), mirrors_for(request),
                      request.install, cache};
    say("building " + target.string());
    remove_tree(build.root);
    fs::create_directories(build.root);
    carry_out_apart(build);
    fs::rename(build.root, target);
    turn.remove();
    say("the root " + target.string() + " is ready");
}

}  // namespace provisioner::providers::local
