#include "fcgi/views/renderer.hpp"

#include <filesystem>
#include <fstream>
#include <kainjow/mustache.hpp>
#include <mutex>
#include <sstream>
#include <stdexcept>

namespace fcgi::views {

using provisioner::base::Json;
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

Renderer::Renderer(const ViewTexts& views) {
    for (const auto& [name, text] : views) {
        if (!is_page(name)) continue;
        auto page = std::make_unique<Page>();
        page->text = page_text(views, name);
        auto parsed = page->borrow();
        if (!parsed->is_valid()) {
            throw std::runtime_error("view " + name + ": " + parsed->error_message());
        }
        page->give_back(std::move(parsed));
        pages_.emplace(name, std::move(page));
    }
}

Renderer::~Renderer() = default;

std::string Renderer::render(const std::string& name, const Json& data) const {
    const auto page = pages_.find(name);
    if (page == pages_.end()) throw std::logic_error("there is no page " + name);
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
