#include "provisioner/providers/cloud/pages.hpp"

#include "provisioner/providers/cloud/failures.hpp"

namespace provisioner::providers::cloud {

namespace {

/// What a value takes beside its text: itself, and the allocations of an array or an object.
constexpr std::size_t bytes_of_a_value = 64;

/// Text of few bytes can be many values ("[[],[],"), so values are counted and not its length.
/// base::parse_json() bounds the depth.
std::size_t memory_of(const base::Json& json) {
    std::size_t bytes = bytes_of_a_value;
    if (json.is_string()) bytes += json.get_ref<const std::string&>().size();
    if (!json.is_structured()) return bytes;
    for (auto each = json.begin(); each != json.end(); ++each) {
        bytes += memory_of(*each) + (json.is_object() ? each.key().size() : 0);
    }
    return bytes;
}

}  // namespace

void Pages::add(const base::Json& json) {
    add(memory_of(json));
}

void Pages::add(std::size_t bytes) {
    bytes_ += bytes;
    ++pages_;
    if (pages_ > most_pages || bytes_ > most_bytes) {
        throw Lost("the listing has no end: " + std::to_string(pages_) + " pages, " +
                   std::to_string(bytes_ >> 20) + " MiB");
    }
}

}  // namespace provisioner::providers::cloud
