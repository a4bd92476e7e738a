#include "provisioner/automators/pieced_text.hpp"

#include <algorithm>

namespace provisioner::automators {

using base::Json;

namespace {

std::string compact(const Json& json) {
    return base::to_text(json);
}

bool has_references(const Json& json) {
    if (!json.is_structured()) return is_reference(json);
    return std::any_of(json.begin(), json.end(), has_references);
}

// JSON without references is written in one call: a call costs as much as writing several values.
void write_json(const Json& json, const SharedValues& shared, PiecedText& text) {
    if (is_reference(json)) return text.add(shared.text_of(json, "json", compact));
    if (!has_references(json)) return text.add(compact(json));
    const bool is_object = json.is_object();
    text.add(is_object ? "{" : "[");
    bool first = true;
    for (const auto& [key, member] : json.items()) {
        if (!first) text.add(",");
        first = false;
        if (is_object) text.add(compact(key) + ":");
        write_json(member, shared, text);
    }
    text.add(is_object ? "}" : "]");
}

}  // namespace

void PiecedText::add(std::string_view own) {
    if (own.empty()) return;
    const bool goes_on = !pieces_.empty() && std::holds_alternative<std::string>(pieces_.back());
    if (!goes_on) pieces_.emplace_back(std::string());
    std::get<std::string>(pieces_.back()) += own;
}

void PiecedText::add(Shared shared) {
    if (shared->text.size() < least_shared) return add(shared->text);
    pieces_.emplace_back(std::move(shared));
}

std::size_t PiecedText::size() const {
    std::size_t size = 0;
    for (const Piece& piece : pieces_) size += text_of(piece).size();
    return size;
}

std::string PiecedText::joined() const {
    std::string text;
    text.reserve(size());
    for (const Piece& piece : pieces_) text += text_of(piece);
    return text;
}

std::string_view text_of(const PiecedText::Piece& piece) {
    if (const auto* own = std::get_if<std::string>(&piece)) return *own;
    return std::get<PiecedText::Shared>(piece)->text;
}

PiecedText json_text(const Json& document, const SharedValues& shared) {
    PiecedText text;
    write_json(document, shared, text);
    return text;
}

}  // namespace provisioner::automators
