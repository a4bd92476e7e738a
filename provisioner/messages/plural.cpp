#include "provisioner/messages/plural.hpp"

#include <array>
#include <charconv>
#include <stdexcept>
#include <utility>
#include <vector>

namespace provisioner::messages {

namespace {

constexpr std::size_t most_forms = 6;
constexpr int deepest = 40;

}  // namespace

struct PluralRule::Node {
    /// "n", "0" for a number, "?", "!" or a binary operator.
    std::string_view kind{};
    unsigned long number = 0;
    std::shared_ptr<const Node> first{};
    std::shared_ptr<const Node> second{};
    std::shared_ptr<const Node> third{};

    unsigned long value(unsigned long n) const {
        if (kind == "n") return n;
        if (kind == "0") return number;
        const unsigned long one = first->value(n);
        if (kind == "!") return one == 0 ? 1 : 0;
        if (kind == "?") return one != 0 ? second->value(n) : third->value(n);
        if (kind == "||") return one != 0 || second->value(n) != 0 ? 1 : 0;
        if (kind == "&&") return one != 0 && second->value(n) != 0 ? 1 : 0;
        const unsigned long other = second->value(n);
        if (kind == "==") return one == other ? 1 : 0;
        if (kind == "!=") return one != other ? 1 : 0;
        if (kind == "<=") return one <= other ? 1 : 0;
        if (kind == ">=") return one >= other ? 1 : 0;
        if (kind == "<") return one < other ? 1 : 0;
        if (kind == ">") return one > other ? 1 : 0;
        if (kind == "+") return one + other;
        if (kind == "-") return one - other;
        if (kind == "*") return one * other;
        if (other == 0) return 0;
        return kind == "%" ? one % other : one / other;
    }
};

namespace {

using Node = PluralRule::Node;
using Part = std::shared_ptr<const Node>;

/// Operators by how strongly they bind, the weakest first. A longer one stands before its
/// beginning.
const std::array<std::vector<std::string_view>, 6> levels{
    {{"||"}, {"&&"}, {"==", "!="}, {"<=", ">=", "<", ">"}, {"+", "-"}, {"*", "/", "%"}}};

/// Reads a formula of C.
class Formula {
 public:
    explicit Formula(std::string_view text) : text_(text) {}

    Part whole() {
        Part part = choice();
        skip_blanks();
        if (!text_.empty()) throw wrong();
        return part;
    }

 private:
    std::runtime_error wrong() const {
        return std::runtime_error("the plural's formula cannot be read at \"" + std::string(text_) +
                                  '"');
    }

    void skip_blanks() {
        while (!text_.empty() && text_.front() == ' ') text_.remove_prefix(1);
    }

    bool takes(std::string_view word) {
        skip_blanks();
        if (text_.substr(0, word.size()) != word) return false;
        text_.remove_prefix(word.size());
        return true;
    }

    Part choice() {
        if (++depth_ > deepest) throw wrong();
        Part condition = binary(0);
        if (takes("?")) {
            Part yes = choice();
            if (!takes(":")) throw wrong();
            Part no = choice();
            condition = std::make_shared<Node>(Node{"?", 0, condition, yes, no});
        }
        --depth_;
        return condition;
    }

    Part binary(std::size_t level) {
        if (level == levels.size()) return single();
        Part part = binary(level + 1);
        while (true) {
            std::string_view found;
            for (const std::string_view word : levels[level]) {
                if (found.empty() && takes(word)) found = word;
            }
            if (found.empty()) return part;
            part = std::make_shared<Node>(Node{found, 0, part, binary(level + 1), nullptr});
        }
    }

    Part single() {
        if (++depth_ > deepest) throw wrong();
        Part part;
        if (takes("!")) {
            part = std::make_shared<Node>(Node{"!", 0, single(), nullptr, nullptr});
        } else if (takes("(")) {
            part = choice();
            if (!takes(")")) throw wrong();
        } else if (takes("n")) {
            part = std::make_shared<Node>(Node{"n", 0, nullptr, nullptr, nullptr});
        } else {
            Node node{"0", 0, nullptr, nullptr, nullptr};
            const char* const end = text_.data() + text_.size();
            const auto read = std::from_chars(text_.data(), end, node.number);
            if (read.ec != std::errc()) throw wrong();
            text_.remove_prefix(static_cast<std::size_t>(read.ptr - text_.data()));
            part = std::make_shared<Node>(node);
        }
        --depth_;
        return part;
    }

    std::string_view text_;
    int depth_ = 0;
};

/// The value of a part of the header: "nplurals=2" -> "2".
std::string_view part_of(std::string_view header, std::string_view name) {
    auto at = header.find(name);
    // "plural=" also ends "nplurals=": it begins the text or follows a blank or semicolon.
    while (at != std::string_view::npos && at > 0 && header[at - 1] != ' ' &&
           header[at - 1] != ';') {
        at = header.find(name, at + 1);
    }
    if (at == std::string_view::npos) {
        throw std::runtime_error("Plural-Forms has no " + std::string(name));
    }
    const auto begin = at + name.size();
    return header.substr(begin, header.find(';', begin) - begin);
}

}  // namespace

PluralRule::PluralRule(std::string_view header) {
    const std::string_view number = part_of(header, "nplurals=");
    const auto read = std::from_chars(number.data(), number.data() + number.size(), forms_);
    if (read.ec != std::errc() || forms_ < 1 || forms_ > most_forms) {
        throw std::runtime_error("nplurals must be 1 to 6, not " + std::string(number));
    }
    formula_ = Formula(part_of(header, "plural=")).whole();
}

std::size_t PluralRule::form_of(unsigned long number) const {
    const unsigned long form = formula_->value(number);
    return form < forms_ ? form : forms_ - 1;
}

}  // namespace provisioner::messages
