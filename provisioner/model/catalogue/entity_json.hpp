#pragma once

#include <chrono>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "provisioner/model/catalogue/entity.hpp"

namespace provisioner::model {

/// Reads the members of one JSON object as leniently as the wire contract asks: numbers and
/// booleans may be written as strings and strings as numbers, null counts as absent, unknown
/// members are ignored. What cannot be read becomes a Problem with the dotted path of the member; a
/// Problem about shape begins with "must be ", all others are the wire contract's own sentences.
class ObjectReader {
 public:
    /// `json` may be null (an absent object: every member is absent); anything but an object is a
    /// Problem of `path`, and the only one this reader notes. The JSON and the Problems must
    /// outlive the reader.
    ObjectReader(const base::Json* json, std::string path, base::Problems& problems);

    /// Whether the member is there at all, null included.
    bool mentions(std::string_view key) const;

    /// Whether the member is there and not null.
    bool has(std::string_view key) const;

    /// The member as it is; null when it is absent or null.
    const base::Json* value(std::string_view key) const;

    /// A text, number or boolean as text.
    std::optional<std::string> text(std::string_view key);

    /// A whole number in the range of int.
    std::optional<int> whole_number(std::string_view key);

    /// True or false; the string "true" (any case) is true, every other string false.
    std::optional<bool> truth(std::string_view key);

    /// Milliseconds, or a string of a number and d, h, m or s; `else_told` is the Problem of all
    /// else.
    std::optional<std::chrono::milliseconds> duration(
        std::string_view key,
        std::string_view else_told = "must be milliseconds, or a number and one of d, h, m and s");

    /// An array of texts without its repetitions; empty when absent.
    std::vector<std::string> names(std::string_view key);

    /// An array of arrays of texts, both without repetitions; the order inside a group does not
    /// tell groups apart.
    std::vector<std::vector<std::string>> groups(std::string_view key);

    /// Every member as text; those that are null are left out.
    std::map<std::string, std::string> texts();

    /// A reader of the object `key`, one of an absent object when it is not there.
    ObjectReader object(std::string_view key);

    /// A reader of element `at` of the array `key`, which must be that long; a Problem when the
    /// element is no object.
    ObjectReader element(std::string_view key, std::size_t at);

    /// A reader for every element of the array `key`; elements that are no objects are Problems.
    std::vector<ObjectReader> objects(std::string_view key);

    /// The name and a reader of every member, each of which has to be an object.
    std::vector<std::pair<std::string, ObjectReader>> members();

    /// Notes "must be given" unless the member is there and not null.
    void require(std::string_view key);

    /// Notes a Problem of the member `key`, of the object itself when it is empty.
    void problem(std::string_view key, std::string message);

 private:
    std::string path_of(std::string_view key) const;
    std::optional<std::string> text_at(const base::Json& json, const std::string& path);
    std::vector<std::string> names_at(const base::Json& json, const std::string& path);

    const base::Json* json_;
    std::string path_;
    base::Problems* problems_;
    bool silent_ = false;
};

/// The JSON without members that are null, at every depth; nulls in arrays stay, because positions
/// count.
base::Json without_nulls(const base::Json& json);

/// Name, label, description and icon; a name that is none is a Problem. `version` stays 0.
EntityHeader read_header(ObjectReader& reader);

/// A new JSON object that begins with the header's members; those without a value are left out.
base::Json header_json(const EntityHeader& header);

/// The `links` of an entity; each needs label and url.
std::vector<Link> read_links(ObjectReader& reader);
base::Json links_json(const std::vector<Link>& links);

/// `value`, unless there are Problems.
template <class T>
base::Checked<T> unless_problems(T value, base::Problems problems) {
    if (!problems.empty()) return base::unexpected(std::move(problems));
    return value;
}

}  // namespace provisioner::model
