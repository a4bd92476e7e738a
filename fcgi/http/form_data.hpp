#pragma once

#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace fcgi::http {

/// `text` with every %XX replaced by its byte. `+` stays `+`. A percent sign without two
/// hexadecimal digits stays as it is. The result may be no valid UTF-8.
std::string percent_decode(std::string_view text);

/// `text` with everything but ASCII letters, digits and "-._~" written as %XX. The result is safe
/// as one path segment or one query value. Source: RFC 3986, 2.3.
std::string percent_encode(std::string_view text);

/// The decoded fields of an HTML form or a query. Handlers of pages read forms through it.
struct FormData {
    /// (name, value) in the order sent. A name may occur more than once. Both are valid UTF-8:
    /// other bytes became U+FFFD.
    std::vector<std::pair<std::string, std::string>> fields;

    /// The first value of `name`, as sent; nothing if the field was not sent.
    std::optional<std::string> first(std::string_view name) const;
    /// The first value of `name` without blanks around it; empty if the field was not sent.
    std::string trimmed(std::string_view name) const;
    /// Every value of `name`, in the order sent. For check boxes and multiple selects.
    std::vector<std::string> all(std::string_view name) const;
    /// Whether the field was sent. A browser sends a check box only if it is ticked.
    bool has(std::string_view name) const;

    bool operator==(const FormData&) const = default;
};

/// Most fields of a form: some for each of the 10,000 machines a cluster may have.
constexpr std::size_t most_fields = 20'000;

/// A form has more than most_fields fields. Site answers 413.
class TooManyFields : public std::runtime_error {
 public:
    TooManyFields();
};

/// Reads application/x-www-form-urlencoded text: `&` between fields, `+` for a blank. Every text of
/// at most most_fields fields is accepted; empty fields are skipped, and a field without `=` has an
/// empty value. Throws TooManyFields: a field takes 64 bytes of memory, and two of the text.
/// Source: WHATWG URL, 5.1.
FormData parse_form(std::string_view text);

/// A file that a browser sent in a form.
struct SentFile {
    /// The name of its control.
    std::string field;
    /// What its sender calls it, without a path; empty if none was chosen.
    std::string name;
    std::string bytes;
};

/// The fields and files of a form of type multipart/form-data.
struct MultipartForm {
    /// In the order sent, valid UTF-8. A file is a field, too: its value is its name, as in forms
    /// of the other type.
    FormData fields;
    std::vector<SentFile> files;
};

/// The boundary that a Content-Type of multipart/form-data names; nothing for any other type, and
/// for a boundary that is empty or longer than 70 characters. Source: RFC 2046, 5.1.1.
std::optional<std::string> boundary_in(std::string_view content_type);

/// Reads a whole multipart/form-data body; nothing if it is malformed or was cut off. Throws
/// TooManyFields. Source: RFC 7578, and WHATWG HTML, 4.10.22.7, for how browsers quote names.
std::optional<MultipartForm> parse_multipart(std::string_view body, std::string_view boundary);

/// The fields as application/x-www-form-urlencoded text, which parse_form() reads.
std::string urlencoded(const FormData& form);

/// `text` without blanks, tabs and line ends around it. The result points into `text`.
std::string_view trim(std::string_view text);

}  // namespace fcgi::http
