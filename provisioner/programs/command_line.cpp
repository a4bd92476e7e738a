#include "provisioner/programs/command_line.hpp"

#include <algorithm>
#include <iostream>

#include "provisioner/base/settings.hpp"
#include "provisioner/base/version.hpp"

namespace provisioner::programs {

namespace options = boost::program_options;

namespace {

/// Whether a person may be shown the option: --man is for packages.
bool is_shown(const options::option_description& option) {
    return option.long_name() != "man";
}

/// The text in lines of at most 100 columns, each after `indent` blanks.
std::string wrapped(const std::string& text, std::size_t indent) {
    constexpr std::size_t columns = 100;
    std::string lines;
    std::string line;
    const auto flush = [&] { lines += std::string(indent, ' ') + line + "\n"; };
    for (std::size_t at = 0; at < text.size();) {
        const auto end = std::min(text.find(' ', at), text.size());
        const std::string word = text.substr(at, end - at);
        if (!line.empty() && indent + line.size() + 1 + word.size() > columns) {
            flush();
            line.clear();
        }
        line += (line.empty() ? "" : " ") + word;
        at = end + 1;
    }
    if (!line.empty()) flush();
    return lines;
}

std::string entries_text(const std::string& title, const std::vector<Manual::Entry>& entries) {
    if (entries.empty()) return "";
    std::string text = "\n" + title + ":\n";
    for (const auto& [name, meaning] : entries) {
        text += "  " + name + "\n" + wrapped(meaning, 6);
    }
    return text;
}

std::vector<Manual::Entry> entries_of(const options::options_description& all) {
    std::vector<Manual::Entry> entries;
    for (const auto& option : all.options()) {
        if (!is_shown(*option)) continue;
        const std::string argument = option->format_parameter();
        entries.emplace_back(option->format_name() + (argument.empty() ? "" : " ") + argument,
                             option->description());
    }
    return entries;
}

/// The text for roff: hyphens as they are typed, and no line that looks like a request.
std::string roff(const std::string& text) {
    std::string safe;
    for (const char c : text) {
        if (c == '\\') {
            safe += "\\e";
        } else if (c == '-') {
            safe += "\\-";
        } else if ((c == '.' || c == '\'') && (safe.empty() || safe.back() == '\n')) {
            safe += std::string("\\&") + c;
        } else {
            safe += c;
        }
    }
    return safe;
}

std::string entries_page(const std::string& title, const std::vector<Manual::Entry>& entries) {
    if (entries.empty()) return "";
    std::string page = ".SH " + title + "\n";
    for (const auto& [name, meaning] : entries) {
        page += ".TP\n.B " + roff(name) + "\n" + roff(meaning) + "\n";
    }
    return page;
}

std::string heading(const std::string& name, const std::string& section,
                    const std::string& summary) {
    return ".TH \"" + roff(name) + "\" " + section + " \"\" \"cooperage " +
           std::string(base::version()) + "\" \"Cooperage\"\n.SH NAME\n" + roff(name) + " \\- " +
           roff(summary) + "\n";
}

std::string references(const std::vector<std::string>& pages) {
    if (pages.empty()) return "";
    std::string text = ".SH SEE ALSO\n";
    for (const std::string& page : pages) {
        const auto open = page.find('(');
        text += ".BR " + roff(page.substr(0, open)) + " " + page.substr(open);
        text += &page == &pages.back() ? "\n" : " ,\n";
    }
    return text;
}

std::string description_of(const base::Setting& setting) {
    std::string text(setting.meaning);
    if (!setting.words.empty()) text += " One of: " + std::string(setting.words) + ".";
    if (!setting.otherwise.empty()) text += " Default: " + std::string(setting.otherwise) + ".";
    return text;
}

}  // namespace

std::string default_config() {
    return COOPERAGE_SYSCONFDIR "/cooperage/cooperage.conf";
}

std::string help_text(const Manual& manual, const options::options_description& options) {
    std::string text = "usage: " + manual.name + " " + manual.synopsis + "\n";
    for (const std::string& paragraph : manual.description) text += "\n" + wrapped(paragraph, 0);
    text += entries_text("commands", manual.commands);
    text += entries_text("options", entries_of(options));
    text += entries_text("signals", manual.signals);
    text += entries_text("files", manual.files);
    return text;
}

std::string manual_page(const Manual& manual, const options::options_description& options) {
    std::string page = heading(manual.name, "8", manual.summary);
    page += ".SH SYNOPSIS\n.B " + roff(manual.name) + "\n" + roff(manual.synopsis) +
            "\n.SH DESCRIPTION\n";
    for (const std::string& paragraph : manual.description)
        page += ".PP\n" + roff(paragraph) + "\n";
    page += entries_page("COMMANDS", manual.commands);
    page += entries_page("OPTIONS", entries_of(options));
    page += entries_page("SIGNALS", manual.signals);
    page += entries_page("FILES", manual.files);
    page += entries_page("EXIT STATUS", manual.exit_codes);
    page += references(manual.see_also);
    return page;
}

std::string manual_page_of_settings() {
    std::string page = heading("cooperage.conf", "5", "settings of Cooperage");
    page +=
        ".SH DESCRIPTION\nAll programs of Cooperage read the same settings, first the file and "
        "then "
        "those named *.conf in the folder conf.d beside it, in the order of their names. A line is "
        "a name, an equals sign and a value; a line that begins with # is a comment. Of two lines "
        "with one name the later counts.\n.PP\nA setting of the database may have a program "
        "before it (web, provisioner or migrate) and then holds for that program alone: "
        "web.database.user.\n.SH SETTINGS\n";
    for (const base::Setting& setting : base::settings()) {
        page += ".TP\n.B " + roff(std::string(setting.name)) + "\n" +
                roff(description_of(setting)) + "\n";
    }
    return page +
           references({"cooperage-web(8)", "cooperage-provisioner(8)", "cooperage-migrate(8)"});
}

std::variant<options::variables_map, int> read_command_line(const Manual& manual,
                                                            options::options_description own,
                                                            int argc, const char* const* argv,
                                                            const std::string& positions) {
    own.add_options()("help", "This text.")("version", "The version of this program.")(
        "man", "The manual page.");
    options::positional_options_description places;
    if (!positions.empty()) places.add(positions.c_str(), 1);
    try {
        options::variables_map chosen;
        // Guessing would let a new option change what an old command line means.
        const int style = options::command_line_style::default_style &
                          ~options::command_line_style::allow_guessing;
        options::store(options::command_line_parser(argc, argv)
                           .options(own)
                           .positional(places)
                           .style(style)
                           .run(),
                       chosen);
        if (chosen.contains("help")) return (std::cout << help_text(manual, own), 0);
        if (chosen.contains("version")) {
            return (std::cout << manual.name << " " << base::version() << "\n", 0);
        }
        if (chosen.contains("man")) return (std::cout << manual_page(manual, own), 0);
        options::notify(chosen);
        return chosen;
    } catch (const options::error& error) {
        std::cerr << manual.name << ": " << error.what() << "; see " << manual.name << " --help\n";
        return 2;
    }
}

}  // namespace provisioner::programs
