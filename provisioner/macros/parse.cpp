#include "provisioner/macros/macro.hpp"

#include <algorithm>
#include <array>
#include <charconv>

namespace provisioner::macros {

namespace {

using base::unexpected;

template <class T>
using Parsed = base::expected<T, MacroError>;

struct Nothing {};

bool is_digit(char c) {
    return c >= '0' && c <= '9';
}

bool is_name_character(char c) {
    return is_digit(c) || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' ||
           c == '-' || c == '.';
}

unexpected<MacroError> error_at(const std::string& message, std::size_t position) {
    return macro_error(message + " at position " + std::to_string(position));
}

/// Recursive-descent parser of one macro. Every read_ function leaves the position behind what it
/// read; after an error the position is undefined.
class Parser {
 public:
    explicit Parser(std::string_view text) : text_(text) {}

    /// Puts the name into `name`, to be resolved after the whole syntax is known to be right.
    Parsed<Macro> read(std::string& name) {
        Macro macro;
        const auto read = skip("join(") ? read_join(macro, name) : read_inner(macro, name);
        if (!read) return unexpected(read.error());
        if (at_ < text_.size()) return error_at("Extra characters after macro", at_);
        return macro;
    }

 private:
    bool skip(std::string_view word) {
        if (!text_.substr(at_).starts_with(word)) return false;
        at_ += word.size();
        return true;
    }

    Parsed<Nothing> expect(char c) {
        if (at_ >= text_.size() || text_[at_] != c) {
            return error_at("'" + std::string(1, c) + "' expected", at_);
        }
        ++at_;
        return Nothing{};
    }

    Parsed<Nothing> read_join(Macro& macro, std::string& name) {
        if (auto inner = read_inner(macro, name); !inner) return inner;
        return read_last_argument(macro.separator);
    }

    Parsed<Nothing> read_inner(Macro& macro, std::string& name) {
        if (!skip("map(")) return read_basic(macro, name);
        if (auto basic = read_basic(macro, name); !basic) return basic;
        return read_last_argument(macro.format.emplace());
    }

    /// Reads `,literal)`.
    Parsed<Nothing> read_last_argument(std::string& literal) {
        if (auto comma = expect(','); !comma) return comma;
        if (auto read = read_literal(literal); !read) return read;
        return expect(')');
    }

    Parsed<Nothing> read_literal(std::string& literal) {
        const std::size_t start = at_;
        const char quote = start < text_.size() ? text_[start] : '\0';
        if (quote != '\'' && quote != '"') return error_at("Expected ' or \"", start);
        const std::size_t end = text_.find(quote, start + 1);
        if (end == std::string_view::npos) {
            return error_at("Expected " + std::string(1, quote), start);
        }
        literal = text_.substr(start + 1, end - start - 1);
        at_ = end + 1;
        return Nothing{};
    }

    Parsed<Nothing> read_basic(Macro& macro, std::string& name) {
        const std::size_t start = at_;
        while (at_ < text_.size() && is_name_character(text_[at_])) ++at_;
        if (at_ == start) return macro_error("A macro name must not be empty.");
        name = text_.substr(start, at_ - start);
        if (!skip("[")) return Nothing{};
        return read_index(macro);
    }

    Parsed<Nothing> read_index(Macro& macro) {
        const std::size_t end = text_.find(']', at_);
        if (end == std::string_view::npos) return macro_error("No ending bracket ']' seen.");
        const std::string_view digits = text_.substr(at_, end - at_);
        if (digits.empty()) return macro_error("No service number seen.");
        if (!std::all_of(digits.begin(), digits.end(), is_digit)) {
            return macro_error("A service number must consists of digits only.");
        }
        int index = 0;
        const auto read = std::from_chars(digits.data(), digits.data() + digits.size(), index);
        if (read.ec != std::errc{}) {
            return macro_error("For input string: \"" + std::string(digits) + "\"");
        }
        macro.index = index;
        at_ = end + 1;
        return Nothing{};
    }

    std::string_view text_;
    std::size_t at_ = 0;
};

struct ServicePrefix {
    std::string_view prefix;
    Subject subject;
};

constexpr std::array service_prefixes{
    ServicePrefix{"host.service.", Subject::host_service},
    ServicePrefix{"num.service.", Subject::num_service},
    ServicePrefix{"instance.self.service.", Subject::instance_self_service},
};

unexpected<MacroError> unknown_name(std::string_view name) {
    return macro_error("'" + std::string(name) + "' is not a valid macro name");
}

Parsed<Nothing> set_service(Macro& macro, Subject subject, std::string_view service) {
    if (service.empty()) return macro_error("macro is missing a service name");
    macro.subject = subject;
    macro.service = service;
    return Nothing{};
}

/// `name` begins with "ip."; the rest is self, T.self, service.S or T.service.S. Only in the last
/// form may S contain dots: "ip.service.service.x" has T = "service" and S = "x".
Parsed<Nothing> understand_ip(Macro& macro, std::string_view name) {
    constexpr std::string_view service = "service.";
    std::string_view rest = name.substr(3);
    const bool plain =
        rest.starts_with(service) && rest.find('.', service.size()) == std::string_view::npos;
    if (plain) return set_service(macro, Subject::ip_service, rest.substr(service.size()));
    const auto dot = rest.find('.');
    if (dot != std::string_view::npos) {
        macro.address_type = rest.substr(0, dot);
        rest.remove_prefix(dot + 1);
    }
    if (macro.address_type.empty()) return unknown_name(name);
    if (rest == "self") {
        macro.subject = Subject::ip_self;
        return Nothing{};
    }
    if (dot == std::string_view::npos || !rest.starts_with(service)) return unknown_name(name);
    return set_service(macro, Subject::ip_service, rest.substr(service.size()));
}

Parsed<Nothing> understand(Macro& macro, std::string_view name) {
    for (const ServicePrefix& known : service_prefixes) {
        if (!name.starts_with(known.prefix)) continue;
        return set_service(macro, known.subject, name.substr(known.prefix.size()));
    }
    if (name.starts_with("ip.")) return understand_ip(macro, name);
    if (name == "cluster.owner") {
        macro.subject = Subject::cluster_owner;
    } else if (name == "host.self") {
        macro.subject = Subject::host_self;
    } else {
        return unknown_name(name);
    }
    return Nothing{};
}

}  // namespace

base::expected<Macro, MacroError> parse(std::string_view text) {
    std::string name;
    auto macro = Parser(text).read(name);
    if (!macro) return macro;
    const auto understood = understand(*macro, name);
    if (!understood) return unexpected(understood.error());
    return macro;
}

}  // namespace provisioner::macros
