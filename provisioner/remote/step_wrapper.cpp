#include "provisioner/remote/step_wrapper.hpp"

#include <stdexcept>
#include <utility>

#include "provisioner/remote/quote.hpp"
#include "provisioner/remote/short_sum.hpp"

namespace provisioner::remote {

namespace {

constexpr std::string_view key_characters =
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789._-";
constexpr std::size_t longest_key = 200;

// The wrapper is written to a temporary file, synced and renamed. A shell that runs the old file
// must not see it change. A node that loses power must not keep half of it.
constexpr std::string_view install_script =
    "umask 077; mkdir -p \"$1/steps\" || exit 1; new=$1/$2.$$; "
    "cat >\"$new\" && [ \"$(wc -c <\"$new\")\" -eq \"$3\" ] && sync \"$new\" && mv -f \"$new\" "
    "\"$1/$2\" && exit 0; "
    "rm -f \"$new\"; exit 1";

const std::string guard_script =
    "[ -s \"$0\" ] || exit " + std::to_string(wrapper_missing) + "; exec sh \"$0\" \"$@\"";

/// The words of a run after its key: fence, limit in seconds, kind.
std::string terms_of(const Run& run, const StepKey& key) {
    return std::to_string(key.fence) + " " + std::to_string(run.limit.count()) + " " +
           (key.kind.empty() ? "-" : key.kind);
}

/// The token is repeated at the end: a request without it was cut off, and the wrapper refuses it.
std::string request(std::string_view verb, std::string_view token, const std::string& words) {
    return std::string(verb) + " " + std::string(token) + words + " " + std::string(token) + "\n";
}

std::string octal(int mode) {
    std::string text(4, '0');
    for (auto digit = text.rbegin(); digit != text.rend(); ++digit, mode >>= 3) {
        *digit = static_cast<char>('0' + (mode & 7));
    }
    return text;
}

void check_key(const StepKey& key) {
    const bool well_formed = !key.name.empty() && key.name.size() <= longest_key &&
                             key.name.find_first_not_of(key_characters) == std::string::npos &&
                             key.name[0] != '.' && key.name[0] != '-';
    if (!well_formed) throw std::invalid_argument("not a name for a step: \"" + key.name + "\"");
    if (key.kind.find_first_not_of(key_characters) != std::string::npos) {
        throw std::invalid_argument("not a kind of step: \"" + key.kind + "\"");
    }
    if (key.fence < 0) throw std::invalid_argument("a step's fence must not be negative");
}

void check_run(const Run& run) {
    if (run.limit.count() < 1) throw std::invalid_argument("a step's limit is at least a second");
}

void check_script(const Run& run) {
    if (run.script.find('\0') != std::string::npos) {
        throw std::invalid_argument("a script cannot hold a NUL byte: " + run.label);
    }
}

void check_place(const std::string& path, int mode) {
    const bool is_file = path.starts_with('/') && !path.ends_with('/');
    if (!is_file || path.find('\n') != std::string::npos) {
        throw std::invalid_argument("not an absolute path of a file: \"" + path + "\"");
    }
    if (mode < 0 || mode > 07777) throw std::invalid_argument("not a file mode for " + path);
}

void check_file(const DeliveredFile& file) {
    check_place(file.path, file.mode);
    const bool well_formed = file.sha256.size() == 64 &&
                             file.sha256.find_first_not_of("0123456789abcdef") == std::string::npos;
    if (!well_formed) throw std::invalid_argument("no SHA-256 for " + file.path);
}

}  // namespace

std::string step_wrapper_name() {
    static const std::string name = "step-" + short_sum(step_wrapper_text());
    return name;
}

StepCommands::StepCommands(std::string state_directory, const std::string& user)
    : state_directory_(std::move(state_directory)), prefix_(user == "root" ? "" : "sudo -n ") {}

std::string StepCommands::install() const {
    return prefix_ + "sh -c " + quote(install_script) + " sh " + quote(state_directory_) + " " +
           step_wrapper_name() + " " + std::to_string(step_wrapper_text().size());
}

std::string StepCommands::if_installed(const std::string& line) const {
    const std::string plain = prefix_ + "sh ";
    return plain + "-c " + quote(guard_script) + " " + line.substr(plain.size());
}

std::string StepCommands::run(const Run& run, const StepKey& key) const {
    check_key(key);
    check_run(run);
    return wrapper("run") + " " + key.name + " " + terms_of(run, key);
}

std::string StepCommands::serve() const {
    return prefix_ + "sh -s serve";
}

std::string StepCommands::greeting() const {
    return "self=" + quote(state_directory_ + "/" + step_wrapper_name()) +
           "; [ -s \"$self\" ] || exit " + std::to_string(wrapper_missing) + "; . \"$self\"\n";
}

std::string StepCommands::begin(std::string_view token, const Run& run, const StepKey& key) const {
    check_key(key);
    check_run(run);
    check_script(run);
    return request("begin", token,
                   " " + key.name + " " + terms_of(run, key) + " " + quote(run.script));
}

std::string StepCommands::look(std::string_view token) const {
    return request("look", token, "");
}

std::string StepCommands::write(std::string_view token, const Upload& upload) const {
    check_place(upload.path, upload.mode);
    return request(
        "write", token,
        " " + quote(upload.path) + " " + octal(upload.mode) + " " + quote(upload.content));
}

std::string StepCommands::stop(const StepKey& key) const {
    check_key(key);
    return wrapper("stop") + " " + key.name + " " + std::to_string(key.fence);
}

std::string StepCommands::put(const Upload& upload) const {
    check_place(upload.path, upload.mode);
    return wrapper("put") + " " + quote(upload.path) + " " + octal(upload.mode) + " " +
           std::to_string(upload.content.size());
}

std::string StepCommands::put(const DeliveredFile& file) const {
    check_file(file);
    return wrapper("put") + " " + quote(file.path) + " " + octal(file.mode) + " " +
           std::to_string(file.size) + " " + file.sha256;
}

std::string StepCommands::lacking() const {
    return wrapper("lacking");
}

std::string StepCommands::wrapper(std::string_view verb) const {
    return prefix_ + "sh " + quote(state_directory_ + "/" + step_wrapper_name()) + " " +
           std::string(verb);
}

std::string run_input(std::string_view token, const Run& run) {
    check_script(run);
    return std::string(token) + "\n" + run.script + std::string(token);
}

std::string lacking_input(const Delivery& delivery) {
    std::string lines;
    for (const DeliveredFile& file : delivery.files) {
        check_file(file);
        lines += file.sha256 + " " + octal(file.mode) + " " + file.path + "\n";
    }
    return lines;
}

}  // namespace provisioner::remote
