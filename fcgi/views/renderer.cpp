#include "fcgi/views/renderer.hpp"

#include <filesystem>
#include <fstream>
#include <kainjow/mustache.hpp>
#include <mutex>
#include <sstream>
#include <stdexcept>

#include "fcgi/views/segments.hpp"
#include "provisioner/messages/reader.hpp"

namespace fcgi::views {

using provisioner::base::Json;
using provisioner::messages::Messages;
namespace mustache = kainjow::mustache;

namespace {

constexpr int deepest_inclusion = 8;

std::string text_of_file(const std::filesystem::path& path) {
    std::ifstream file(path, std::ios::binary);
    std::ostringstream text;
    text << file.rdbuf();
    if (!file) throw std::runtime_error("cannot read the view " + path.string());
    return text.str();
}

// The parser keeps every blank as a component of its own. Without this, indentation would cost more
// than the tags.
std::string without_indentation(const std::string& text) {
    std::string result;
    std::istringstream lines(text);
    for (std::string line; std::getline(lines, line);) {
        const auto start = line.find_first_not_of(" \t");
        if (start != std::string::npos) result.append(line, start).push_back('\n');
    }
    return result;
}

const std::string& text_of(const ViewTexts& views, const std::string& name) {
    const auto found = views.find(name);
    if (found == views.end()) throw std::runtime_error("there is no view " + name);
    return found->second;
}

std::string with_partials(const ViewTexts& views, const std::string& text,
                          const std::string& content, int depth) {
    if (depth > deepest_inclusion) throw std::runtime_error("views include each other in a circle");
    std::string result;
    std::size_t at = 0;
    for (auto open = text.find("{{>"); open != std::string::npos; open = text.find("{{>", at)) {
        const auto close = text.find("}}", open);
        if (close == std::string::npos) throw std::runtime_error("a partial's tag is not closed");
        std::string name = mustache::trim(text.substr(open + 3, close - open - 3));
        if (name == "content") name = content;
        result.append(text, at, open - at);
        result += with_partials(views, text_of(views, name), content, depth + 1);
        at = close + 2;
    }
    return result.append(text, at);
}

// push_back and the list constructor copy deeply, once more for each level. This function owns the
// list, so it fills it in place.
mustache::data to_data(const Json& json) {
    if (json.is_object()) {
        mustache::data object(mustache::data::type::object);
        for (const auto& [key, value] : json.items()) object[key] = to_data(value);
        return object;
    }
    if (json.is_array()) {
        mustache::data list(mustache::data::type::list);
        auto& items = const_cast<mustache::list&>(list.list_value());
        items.reserve(json.size());
        for (const Json& value : json) items.push_back(to_data(value));
        return list;
    }
    if (json.is_boolean()) return json.get<bool>();
    if (json.is_number()) return json.dump();
    if (json.is_null() || json.get_ref<const std::string&>().empty()) return false;
    return json.get_ref<const std::string&>();
}

bool is_page(const std::string& name) {
    const auto slash = name.rfind('/');
    return name != "layout" && name[slash == std::string::npos ? 0 : slash + 1] != '_';
}

ViewTexts in_language(const ViewTexts& views, const Messages& messages) {
    constexpr std::string_view english = "<html lang=\"en\"";
    ViewTexts result;
    for (const auto& [name, text] : views) {
        try {
            std::string view = with_translations(text, [&](const std::string& one) {
                const std::string* const found = messages.of(one);
                return found == nullptr ? one : *found;
            });
            if (const auto at = view.find(english); at != std::string::npos) {
                view.replace(at, english.size(), "<html lang=\"" + messages.language() + '"');
            }
            result.emplace(name, std::move(view));
        } catch (const std::runtime_error& error) {
            throw std::runtime_error(messages.language() + ", view " + name + ": " + error.what());
        }
    }
    return result;
}

}  // namespace

ViewTexts load_views(const std::string& folder) {
    ViewTexts views;
    for (const auto& entry : std::filesystem::recursive_directory_iterator(folder)) {
        if (entry.path().extension() != ".mustache") continue;
        auto name = std::filesystem::relative(entry.path(), folder).replace_extension();
        views[name.generic_string()] = text_of_file(entry.path());
    }
    if (views.empty()) throw std::runtime_error("there are no views in " + folder);
    return views;
}

std::vector<Messages> load_messages(const std::string& folder) {
    std::map<std::string, Messages> by_language;
    const auto place = std::filesystem::path(folder) / "messages";
    if (!std::filesystem::exists(place)) return {};
    for (const auto& entry : std::filesystem::directory_iterator(place)) {
        if (entry.path().extension() != ".po") continue;
        try {
            Messages messages = Messages::from_po(text_of_file(entry.path()));
            const std::string language = messages.language();
            if (!by_language.emplace(language, std::move(messages)).second) {
                throw std::runtime_error("another file is of the language " + language);
            }
        } catch (const std::runtime_error& error) {
            throw std::runtime_error(entry.path().string() + ": " + error.what());
        }
    }
    std::vector<Messages> all;
    for (auto& [language, messages] : by_language) all.push_back(std::move(messages));
    return all;
}

std::map<std::string, std::string> texts_for_translators(const ViewTexts& views) {
    std::map<std::string, std::string> places;
    for (const auto& [name, text] : views) {
        for (const Segment& segment : segments_of(text)) {
            places.emplace(segment.text, "views/" + name + ".mustache");
        }
    }
    return places;
}

std::string page_text(const ViewTexts& views, const std::string& name) {
    return without_indentation(with_partials(views, text_of(views, "layout"), name, 0));
}

struct Renderer::Page {
    std::string text;
    std::mutex mutex;
    std::vector<std::unique_ptr<mustache::mustache>> idle;

    // The caller has the template to itself until it gives it back. Parsing happens outside the
    // lock.
    std::unique_ptr<mustache::mustache> borrow() {
        {
            const std::lock_guard lock(mutex);
            if (!idle.empty()) {
                auto parsed = std::move(idle.back());
                idle.pop_back();
                return parsed;
            }
        }
        return std::make_unique<mustache::mustache>(text);
    }

    void give_back(std::unique_ptr<mustache::mustache> parsed) {
        const std::lock_guard lock(mutex);
        idle.push_back(std::move(parsed));
    }
};

Renderer::Pages Renderer::parsed(const ViewTexts& views) {
    Pages pages;
    for (const auto& [name, text] : views) {
        if (!is_page(name)) continue;
        auto page = std::make_unique<Page>();
        page->text = page_text(views, name);
        auto parsed = page->borrow();
        if (!parsed->is_valid()) {
            throw std::runtime_error("view " + name + ": " + parsed->error_message());
        }
        page->give_back(std::move(parsed));
        pages.emplace(name, std::move(page));
    }
    return pages;
}

Renderer::Renderer(const ViewTexts& views, std::vector<Messages> translations)
    : translations_(std::move(translations)), english_(parsed(views)) {
    for (const Messages& messages : translations_) {
        translated_.emplace(messages.language(), parsed(in_language(views, messages)));
    }
}

Renderer::~Renderer() = default;

const Messages* Renderer::wanted(std::string_view accept_language) const {
    std::vector<std::string> languages;
    for (const Messages& messages : translations_) languages.push_back(messages.language());
    const std::string wanted = provisioner::messages::wanted_language(accept_language, languages);
    for (const Messages& messages : translations_) {
        if (messages.language() == wanted) return &messages;
    }
    return nullptr;
}

std::string Renderer::render(const std::string& name, const Json& data) const {
    const Messages* const messages = provisioner::messages::messages_of_reader();
    const auto language =
        messages == nullptr ? translated_.end() : translated_.find(messages->language());
    const Pages& pages = language == translated_.end() ? english_ : language->second;
    const auto page = pages.find(name);
    if (page == pages.end()) throw std::logic_error("there is no page " + name);
    const auto values = to_data(data);
    // If drawing throws, the template is dropped instead of given back: its state may be
    // inconsistent.
    auto parsed = page->second->borrow();
    std::string html;
    parsed->render(values, [&html](const std::string& piece) { html += piece; });
    page->second->give_back(std::move(parsed));
    return html;
}

}  // namespace fcgi::views
