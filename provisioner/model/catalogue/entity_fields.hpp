#pragma once

#include <algorithm>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>
#include <vector>

#include "provisioner/model/catalogue/entity_json.hpp"

namespace provisioner::model {

// A type whose values come as JSON is described once, by a table of its fields: fields_of<Type>, a
// std::tuple of Field and FieldGroup. Reading, writing, merging and the list of names that the
// API's description is checked against all walk that table, so none of them can forget a field.
//
// An example: Field "dnsSuffix" of TemplateDefaults is an optional text with MergeRule::later. So
// it is read as a text, left out of JSON when it is absent, and a child that names it replaces what
// its parent says.
//
// How a value is read and written follows from its C++ type (see read_value and write_value); a
// Codec replaces both where the wire form is special. How values of several templates are merged
// follows from the MergeRule, which every field must name.

/// How the value of a later template joins the value merged so far.
enum class MergeRule {
    /// Not merged: the result has the value of the template that was asked for
    /// (MergeState::is_own).
    own,
    /// A list: elements that are not there yet are appended, in their order.
    unite,
    /// The later value replaces the earlier one, unless it is absent or empty.
    /// So a child cannot take a value back that its parent has.
    later,
    /// An object or a list of (name, value): each member of the later one replaces its namesake.
    /// Members that the later one lacks stay.
    by_key,
    /// A described type: its fields have rules of their own.
    inner,
    /// The later value replaces the earlier one as a whole, unless it equals the default: then it
    /// counts as not given. So a child cannot take its parent's value back by writing the default.
    whole,
};

/// Which parts of a family of templates a field is merged from.
enum class MergeSource {
    /// Cluster templates and partial templates.
    all,
    /// Partial templates do not count.
    templates_only,
};

/// Reads and writes a value as its C++ type has it.
struct ByType {};

/// What is particular about a Field.
struct FieldRules {
    MergeSource source = MergeSource::all;
    /// Whether its absence is a Problem.
    bool required = false;
};

/// One field of `Owner`: the member `name` of its JSON object. Its rule belongs to its type, so
/// that a rule that does not fit the values is refused when they are to be merged by it.
template <MergeRule rule, class Codec, class Owner, class Value>
struct Field {
    /// Name in JSON.
    std::string_view name;
    Value Owner::*member;
    FieldRules rules;
    /// Copied from `rules`, so that fields and groups are asked alike.
    MergeSource source = rules.source;
};

/// A row of a description: field<MergeRule::later>("name", &Owner::member). A Codec has a static
/// function read(ObjectReader&, name, Value&), and write(Json&, name, const Value&) where the C++
/// type does not say how the value is written.
template <MergeRule rule, class Codec = ByType, class Owner, class Value>
constexpr auto field(std::string_view name, Value Owner::*member, FieldRules rules = {}) {
    return Field<rule, Codec, Owner, Value>{name, member, rules};
}

/// What is particular about a FieldGroup.
template <class Owner>
struct GroupRules {
    /// inner, or whole: the later group replaces all fields at once, unless all are at their
    /// defaults.
    MergeRule rule = MergeRule::inner;
    MergeSource source = MergeSource::all;
    bool required = false;
    /// Notes Problems of values that were read; null: there is nothing to check.
    void (*check)(ObjectReader& reader, const Owner& owner) = nullptr;
};

/// Fields of `Owner` that lie together in the JSON object `name`, for which C++ has no type.
template <class Owner, class... Fields>
struct FieldGroup {
    std::string_view name;
    GroupRules<Owner> rules;
    std::tuple<Fields...> fields;
    MergeSource source = rules.source;
};

/// A row of a description: group<Owner>("name", {rules}, field..., field...).
template <class Owner, class... Fields>
constexpr auto group(std::string_view name, GroupRules<Owner> rules, Fields... fields) {
    return FieldGroup<Owner, Fields...>{name, rules, std::tuple{fields...}};
}

/// The description of a type: a tuple of Field and FieldGroup, in the order in which JSON is
/// written. Specialised for every described type.
template <class Type>
inline constexpr auto fields_of = nullptr;

/// Whether fields_of<Type> is specialised.
template <class Type>
concept Described = !std::is_same_v<std::remove_cvref_t<decltype(fields_of<Type>)>, std::nullptr_t>;

/// What a merge carries from one template to the next.
struct MergeState {
    /// Whether the template that is being merged is a partial one.
    bool from_partial = false;
    /// Whether the template that is being merged is the one that was asked for.
    bool is_own = false;
    /// Whether keys that the present template sets can not be set again.
    bool locks_keys = false;
    /// Keys of by_key objects that were locked.
    std::set<std::string> locked{};
    /// Problems of templates that set locked keys.
    base::Problems problems{};
};

namespace detail {

template <class Value>
using Named = std::vector<std::pair<std::string, Value>>;

inline void read_value(ObjectReader& reader, std::string_view name,
                       std::optional<std::string>& value) {
    value = reader.text(name);
}

inline void read_value(ObjectReader& reader, std::string_view name, std::optional<bool>& value) {
    value = reader.truth(name);
}

inline void read_value(ObjectReader& reader, std::string_view name, int& value) {
    value = reader.whole_number(name).value_or(value);
}

inline void read_value(ObjectReader& reader, std::string_view name,
                       std::chrono::milliseconds& value) {
    value = reader.duration(name).value_or(value);
}

inline void read_value(ObjectReader& reader, std::string_view name,
                       std::vector<std::string>& value) {
    value = reader.names(name);
}

inline void read_value(ObjectReader& reader, std::string_view name,
                       std::vector<std::vector<std::string>>& value) {
    value = reader.groups(name);
}

template <class Owner, class Fields>
void read_members(ObjectReader& reader, Owner& owner, const Fields& fields);

template <Described Type>
void read_value(ObjectReader& reader, std::string_view name, Type& value) {
    ObjectReader inner = reader.object(name);
    read_members(inner, value, fields_of<Type>);
}

template <Described Type>
void read_value(ObjectReader& reader, std::string_view name, Named<Type>& value) {
    ObjectReader all = reader.object(name);
    for (auto& [key, inner] : all.members()) {
        value.emplace_back(key, Type{});
        read_members(inner, value.back().second, fields_of<Type>);
    }
}

template <MergeRule rule, class Codec, class Owner, class Value>
void read_field(ObjectReader& reader, Owner& owner, const Field<rule, Codec, Owner, Value>& field) {
    if (field.rules.required) reader.require(field.name);
    if constexpr (std::is_same_v<Codec, ByType>) {
        read_value(reader, field.name, owner.*field.member);
    } else {
        Codec::read(reader, field.name, owner.*field.member);
    }
}

template <class Owner, class... Fields>
void read_field(ObjectReader& reader, Owner& owner, const FieldGroup<Owner, Fields...>& group) {
    if (group.rules.required) reader.require(group.name);
    ObjectReader inner = reader.object(group.name);
    read_members(inner, owner, group.fields);
    if (group.rules.check != nullptr) group.rules.check(inner, owner);
}

template <class Owner, class Fields>
void read_members(ObjectReader& reader, Owner& owner, const Fields& fields) {
    std::apply([&](const auto&... field) { (read_field(reader, owner, field), ...); }, fields);
}

template <class Value>
void write_value(base::Json& json, std::string_view name, const Value& value) {
    json[name] = value;
}

template <class Value>
void write_value(base::Json& json, std::string_view name, const std::optional<Value>& value) {
    if (value) json[name] = *value;
}

inline void write_value(base::Json& json, std::string_view name, std::chrono::milliseconds value) {
    json[name] = value.count();
}

template <class Owner, class Fields>
base::Json written(const Owner& owner, const Fields& fields);

template <Described Type>
void write_value(base::Json& json, std::string_view name, const Type& value) {
    json[name] = written(value, fields_of<Type>);
}

template <Described Type>
void write_value(base::Json& json, std::string_view name, const Named<Type>& value) {
    base::Json& all = json[name] = base::Json::object();
    for (const auto& [key, inner] : value) all[key] = written(inner, fields_of<Type>);
}

template <MergeRule rule, class Codec, class Owner, class Value>
void write_field(base::Json& json, const Owner& owner,
                 const Field<rule, Codec, Owner, Value>& field) {
    if constexpr (requires { Codec::write(json, field.name, owner.*field.member); }) {
        Codec::write(json, field.name, owner.*field.member);
    } else {
        write_value(json, field.name, owner.*field.member);
    }
}

template <class Owner, class... Fields>
void write_field(base::Json& json, const Owner& owner, const FieldGroup<Owner, Fields...>& group) {
    json[group.name] = written(owner, group.fields);
}

template <class Owner, class Fields>
base::Json written(const Owner& owner, const Fields& fields) {
    base::Json json = base::Json::object();
    std::apply([&](const auto&... field) { (write_field(json, owner, field), ...); }, fields);
    return json;
}

inline void unite(std::vector<std::string>& all, const std::vector<std::string>& more) {
    std::set<std::string> known(all.begin(), all.end());
    for (const std::string& one : more) {
        if (known.insert(one).second) all.push_back(one);
    }
}

/// The order inside a group does not tell groups apart.
void unite(std::vector<std::vector<std::string>>& all,
           const std::vector<std::vector<std::string>>& more);

/// Replaces members of `all`; locks those of `later`, and notes those that are locked.
void merge_keys(base::Json& all, const base::Json& later, const std::string& path,
                MergeState& state);

template <class Value>
void merge_keys(Named<Value>& all, const Named<Value>& later, const std::string&, MergeState&) {
    std::map<std::string, std::size_t> places;
    for (const auto& [name, value] : all) places.emplace(name, places.size());
    for (const auto& [name, value] : later) {
        const auto [place, is_new] = places.emplace(name, all.size());
        if (is_new) {
            all.emplace_back(name, value);
        } else {
            all[place->second].second = value;
        }
    }
}

template <class Owner, class Fields>
void merge_members(Owner& all, const Owner& later, const Fields& fields, const std::string& path,
                   MergeState& state);

template <MergeRule rule, class Value>
void merge_value(Value& all, const Value& later, const std::string& path, MergeState& state) {
    if constexpr (rule == MergeRule::own) {
        if (state.is_own) all = later;
    } else if constexpr (rule == MergeRule::unite) {
        unite(all, later);
    } else if constexpr (rule == MergeRule::later) {
        if (later && !later->empty()) all = later;
    } else if constexpr (rule == MergeRule::by_key) {
        merge_keys(all, later, path, state);
    } else if constexpr (rule == MergeRule::inner) {
        merge_members(all, later, fields_of<Value>, path + ".", state);
    } else {
        static_assert(rule == MergeRule::whole);
        if (later != Value{}) all = later;
    }
}

template <MergeRule rule, class Codec, class Owner, class Value>
void merge_field(Owner& all, const Owner& later, const Field<rule, Codec, Owner, Value>& field,
                 const std::string& path, MergeState& state) {
    merge_value<rule>(all.*field.member, later.*field.member, path + std::string(field.name),
                      state);
}

template <class Owner, class... Fields>
void merge_field(Owner& all, const Owner& later, const FieldGroup<Owner, Fields...>& group,
                 const std::string& path, MergeState& state) {
    if (group.rules.rule == MergeRule::inner) {
        return merge_members(all, later, group.fields, path + std::string(group.name) + ".", state);
    }
    const Owner none;
    std::apply(
        [&](const auto&... field) {
            const bool says_nothing = ((later.*field.member == none.*field.member) && ...);
            if (!says_nothing) ((all.*field.member = later.*field.member), ...);
        },
        group.fields);
}

template <class Owner, class Fields>
void merge_members(Owner& all, const Owner& later, const Fields& fields, const std::string& path,
                   MergeState& state) {
    const auto merge_one = [&](const auto& field) {
        if (state.from_partial && field.source == MergeSource::templates_only) return;
        merge_field(all, later, field, path, state);
    };
    std::apply([&](const auto&... field) { (merge_one(field), ...); }, fields);
}

template <class Fields>
base::Json names_of(const Fields& fields);

template <MergeRule rule, class Codec, class Owner, class Value>
base::Json names_below(const Field<rule, Codec, Owner, Value>&) {
    if constexpr (Described<Value>) return names_of(fields_of<Value>);
    if constexpr (requires(Value value) { value.front().second; }) {
        return {{"*", names_of(fields_of<typename Value::value_type::second_type>)}};
    }
    return nullptr;
}

template <class Owner, class... Fields>
base::Json names_below(const FieldGroup<Owner, Fields...>& group) {
    return names_of(group.fields);
}

template <class Fields>
base::Json names_of(const Fields& fields) {
    base::Json names = base::Json::object();
    std::apply([&](const auto&... field) { ((names[field.name] = names_below(field)), ...); },
               fields);
    return names;
}

}  // namespace detail

/// Reads the members of `reader` that `fields` describes into `owner`. What is absent leaves the
/// default; what is wrong becomes a Problem of the reader, with the dotted path of the member.
template <class Owner, class Fields>
void read_fields(ObjectReader& reader, Owner& owner, const Fields& fields) {
    detail::read_members(reader, owner, fields);
}

/// Appends the described members to `json`, an object, in the order of `fields`. Optional values
/// that are absent are left out; everything else is written, defaults included.
template <class Owner, class Fields>
void write_fields(base::Json& json, const Owner& owner, const Fields& fields) {
    json.update(detail::written(owner, fields));
}

/// The JSON object of a described value.
template <Described Type>
base::Json fields_json(const Type& value) {
    return detail::written(value, fields_of<Type>);
}

/// Merges `later` into `all`, field by field, by the rule of each. Problems of locked keys go into
/// `state`.
template <class Owner, class Fields>
void merge_fields(Owner& all, const Owner& later, const Fields& fields, MergeState& state) {
    detail::merge_members(all, later, fields, "", state);
}

/// The names that `fields` describes: an object with null for a plain member, an object for a
/// described one, and {"*": names} for a map of described values. For checks of other descriptions.
template <class Fields>
base::Json names_in(const Fields& fields) {
    return detail::names_of(fields);
}

}  // namespace provisioner::model
