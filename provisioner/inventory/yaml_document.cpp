#include "provisioner/inventory/yaml_document.hpp"

#include <yaml.h>

#include <algorithm>
#include <set>
#include <stdexcept>

namespace provisioner::inventory {

namespace {

using NodePtr = std::shared_ptr<Node>;

/// Deeper nesting has no meaning in an inventory, and recursion must end.
constexpr int deepest = 64;
/// Bytes of names, and around each. Ten thousand machines that each take all their values from
/// others need fewer.
constexpr std::size_t most_merged = 64UL << 20;
constexpr std::size_t around_a_name = 64;
/// libyaml compares each with all before it.
constexpr std::size_t most_directives = 100;

struct Unreadable {
    YamlError error;
};

/// One event of libyaml, deleted with this object.
struct Event {
    yaml_event_t raw{};

    Event() = default;
    Event(const Event&) = delete;
    Event& operator=(const Event&) = delete;
    ~Event() { yaml_event_delete(&raw); }

    int line() const { return static_cast<int>(raw.start_mark.line) + 1; }
};

std::string text_of(const yaml_char_t* text) {
    return text == nullptr ? "" : reinterpret_cast<const char*>(text);
}

bool means_null(const yaml_event_t& event) {
    if (event.data.scalar.style != YAML_PLAIN_SCALAR_STYLE) return false;
    const std::string text(reinterpret_cast<const char*>(event.data.scalar.value),
                           event.data.scalar.length);
    return text.empty() || text == "~" || text == "null" || text == "Null" || text == "NULL";
}

/// Builds nodes from libyaml's events. Throws Unreadable.
class Reader {
 public:
    explicit Reader(std::string_view text) {
        if (yaml_parser_initialize(&parser_) == 0) throw std::bad_alloc();
        yaml_parser_set_input_string(&parser_, reinterpret_cast<const unsigned char*>(text.data()),
                                     text.size());
    }
    Reader(const Reader&) = delete;
    Reader& operator=(const Reader&) = delete;
    ~Reader() { yaml_parser_delete(&parser_); }

    NodePtr document() {
        for (;;) {
            Event event;
            next(event);
            if (event.raw.type == YAML_STREAM_END_EVENT) return nullptr;
            if (event.raw.type == YAML_DOCUMENT_START_EVENT) break;
        }
        Event first;
        next(first);
        return node(first, 0);
    }

 private:
    [[noreturn]] static void fail(int line, const std::string& message) {
        throw Unreadable{{.line = line, .message = message}};
    }

    void next(Event& event) {
        if (yaml_parser_parse(&parser_, &event.raw) != 0) return;
        const auto& mark = parser_.error == YAML_READER_ERROR ? parser_.mark : parser_.problem_mark;
        std::string message = parser_.problem == nullptr ? "cannot be read" : parser_.problem;
        if (parser_.context != nullptr) message += std::string(" ") + parser_.context;
        fail(static_cast<int>(mark.line) + 1, message);
    }

    NodePtr node(const Event& event, int depth) {
        if (depth > deepest) fail(event.line(), "nested too deep");
        switch (event.raw.type) {
            case YAML_ALIAS_EVENT:
                return aliased(event, depth);
            case YAML_SCALAR_EVENT:
                return kept(scalar(event), text_of(event.raw.data.scalar.anchor));
            case YAML_SEQUENCE_START_EVENT:
                return kept(list(event, depth), text_of(event.raw.data.sequence_start.anchor));
            case YAML_MAPPING_START_EVENT:
                return kept(map(event, depth), text_of(event.raw.data.mapping_start.anchor));
            default:
                fail(event.line(), "a value is missing");
        }
    }

    NodePtr aliased(const Event& event, int depth) {
        const auto found = anchors_.find(text_of(event.raw.data.alias.anchor));
        if (found == anchors_.end()) {
            fail(event.line(), "there is no anchor &" + text_of(event.raw.data.alias.anchor));
        }
        // Whoever walks the tree, and whoever frees it, goes as deep as it is with its aliases.
        if (depth + found->second->height > deepest) fail(event.line(), "nested too deep");
        return found->second;
    }

    NodePtr kept(NodePtr node, const std::string& anchor) {
        if (!anchor.empty()) anchors_[anchor] = node;
        return node;
    }

    static NodePtr scalar(const Event& event) {
        auto made = std::make_shared<Node>();
        made->line = event.line();
        made->text.assign(reinterpret_cast<const char*>(event.raw.data.scalar.value),
                          event.raw.data.scalar.length);
        made->tag = text_of(event.raw.data.scalar.tag);
        made->is_null = means_null(event.raw);
        return made;
    }

    NodePtr list(const Event& event, int depth) {
        auto made = std::make_shared<Node>();
        made->kind = Node::Kind::list;
        made->line = event.line();
        for (;;) {
            Event item;
            next(item);
            if (item.raw.type == YAML_SEQUENCE_END_EVENT) return made;
            made->items.push_back(node(item, depth + 1));
            grow(*made, *made->items.back());
        }
    }

    NodePtr map(const Event& event, int depth) {
        auto made = std::make_shared<Node>();
        made->kind = Node::Kind::map;
        made->line = event.line();
        std::vector<NodePtr> merged;
        std::set<std::string> names;
        for (;;) {
            Event key;
            next(key);
            if (key.raw.type == YAML_MAPPING_END_EVENT) break;
            if (key.raw.type != YAML_SCALAR_EVENT) fail(key.line(), "a key must be a plain text");
            const auto name = scalar(key)->text;
            Event value;
            next(value);
            const NodePtr held = node(value, depth + 1);
            grow(*made, *held);
            if (name == "<<") {
                merged.push_back(held);
            } else if (!names.insert(name).second) {
                fail(key.line(), "\"" + name + "\" stands here twice");
            } else {
                made->members.emplace_back(name, held);
            }
        }
        for (const NodePtr& from : merged) merge(*made, names, *from);
        return made;
    }

    static void grow(Node& above, const Node& held) {
        above.height = std::max(above.height, held.height + 1);
    }

    /// Adds members that the map does not have itself; `names` are those that it has.
    void merge(Node& into, std::set<std::string>& names, const Node& from) {
        for (const auto& item : from.items) add_lacking(into, names, *item);
        add_lacking(into, names, from);
    }

    void add_lacking(Node& into, std::set<std::string>& names, const Node& from) {
        merged_ += around_a_name;
        if (merged_ > most_merged) fail(into.line, "merges too much with <<");
        for (const auto& [name, value] : from.members) {
            merged_ += around_a_name + name.size();
            if (merged_ > most_merged) fail(into.line, "merges too much with <<");
            if (names.insert(name).second) into.members.emplace_back(name, value);
        }
    }

    std::size_t merged_ = 0;
    yaml_parser_t parser_{};
    std::map<std::string, NodePtr> anchors_;
};

bool has_too_many_directives(std::string_view text) {
    std::size_t count = text.starts_with('%') ? 1 : 0;
    for (auto at = text.find("\n%"); at != std::string_view::npos; at = text.find("\n%", at + 1)) {
        if (++count > most_directives) return true;
    }
    return false;
}

}  // namespace

const Node* Node::find(std::string_view name) const {
    const auto found = std::find_if(members.begin(), members.end(),
                                    [&](const auto& member) { return member.first == name; });
    return found == members.end() ? nullptr : found->second.get();
}

base::expected<std::shared_ptr<const Node>, YamlError> read_yaml(std::string_view text) {
    if (has_too_many_directives(text)) {
        return base::unexpected(YamlError{
            .line = 1,
            .message = "more than " + std::to_string(most_directives) + " lines begin with %"});
    }
    try {
        Reader reader(text);
        return std::shared_ptr<const Node>(reader.document());
    } catch (const Unreadable& unreadable) {
        return base::unexpected(unreadable.error);
    }
}

}  // namespace provisioner::inventory
