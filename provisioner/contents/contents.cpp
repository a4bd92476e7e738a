#include "provisioner/contents/contents.hpp"

#include <chrono>

#include "provisioner/contents/database_contents.hpp"
#include "provisioner/contents/folder_contents.hpp"
#include "provisioner/contents/s3_contents.hpp"
#include "provisioner/contents/sources.hpp"
#include "provisioner/identity/private_file.hpp"

namespace provisioner::contents {

namespace {

using model::ContentPlace;

/// How often a row is touched while its bytes arrive. Much shorter than the sweep's patience.
constexpr std::chrono::seconds touch_every{60};

/// The setting that enables a place; the database needs none.
std::string first_setting_of(ContentPlace place) {
    switch (place) {
        case ContentPlace::database:
            return "";
        case ContentPlace::files:
            return "resources.folder";
        case ContentPlace::s3:
            return "resources.s3.endpoint";
    }
    throw std::logic_error("a place without a name");
}

std::string wanted(const base::Config& config, const std::string& name) {
    std::string value = config.get_or(name, "");
    if (value.empty()) throw PlaceError(name + " is not set, but resources.s3.endpoint is");
    return value;
}

std::unique_ptr<ContentStore> s3_contents(const base::Config& config) {
    return std::make_unique<S3Contents>(S3Settings{
        .endpoint = config.get("resources.s3.endpoint"),
        .bucket = wanted(config, "resources.s3.bucket"),
        .region = config.get_or("resources.s3.region", "us-east-1"),
        .prefix = config.get_or("resources.s3.prefix", ""),
        .access_key = wanted(config, "resources.s3.access_key"),
        .secret_key = identity::private_line(wanted(config, "resources.s3.secret_key_file"))});
}

ContentPlace chosen_place(const base::Config& config) {
    const std::string word = config.get_or("resources.store", "database");
    const auto place = base::from_word<ContentPlace>(word);
    if (!place) throw PlaceError("resources.store is database, files or s3, not " + word);
    return *place;
}

}  // namespace

Contents::Contents(const base::Config& config, store::Database& database)
    : database_(database), place_of_new_(chosen_place(config)) {
    places_[ContentPlace::database] = std::make_unique<DatabaseContents>(database);
    if (const auto folder = config.get_or("resources.folder", ""); !folder.empty()) {
        places_[ContentPlace::files] = std::make_unique<FolderContents>(folder);
    }
    if (!config.get_or("resources.s3.endpoint", "").empty()) {
        places_[ContentPlace::s3] = s3_contents(config);
    }
    at(place_of_new_);
}

Contents::~Contents() = default;

ContentStore& Contents::at(ContentPlace place) const {
    const auto found = places_.find(place);
    if (found != places_.end()) return *found->second;
    throw PlaceError(first_setting_of(place) + " is not set: the place " + base::to_word(place) +
                     " is not known here");
}

std::unique_ptr<Source> Contents::open(const model::Content& content) const {
    return checked(at(content.place).open(content.name), content);
}

store::StoredContent Contents::take_in(Source& from, std::uint64_t size, ContentPlace place,
                                       base::Timestamp now) const {
    const std::string name = base::random_hex(16);
    store::StoredContent arrived;
    arrived.id = database_.write([&](store::Connection& connection) {
        return store::insert_content(connection, place, name, now);
    });
    arrived.content = {.name = name, .place = place, .sha256 = {}};
    HashedSource hashed(from, touching(arrived));
    try {
        at(place).put(name, hashed, size);
        // A sweep may have given the upload up and removed the bytes stored by then. Bytes stored
        // later would have no row, so this check must come after the last byte.
        touch(arrived);
    } catch (...) {
        give_up(arrived);
        throw;
    }
    arrived.content = hashed.finish();
    arrived.content.name = name;
    arrived.content.place = place;
    return arrived;
}

void Contents::touch(const store::StoredContent& arriving) const {
    const bool awaited = database_.write([&](store::Connection& connection) {
        return store::touch_content(connection, arriving.id);
    });
    if (!awaited) throw_not_awaited(arriving.content.name);
}

std::function<void()> Contents::touching(const store::StoredContent& arriving) const {
    return [this, arriving, touched = std::chrono::steady_clock::now()]() mutable {
        if (std::chrono::steady_clock::now() - touched < touch_every) return;
        touched = std::chrono::steady_clock::now();
        touch(arriving);
    };
}

// remove_unused() returns false when a sweep has removed the row already. Bytes stored after that
// have no row, so they are removed by name.
void Contents::give_up(const store::StoredContent& arriving) const {
    try {
        if (remove_unused(arriving, std::chrono::seconds{0})) return;
        at(arriving.content.place).remove(arriving.content.name);
    } catch (const std::exception&) {
        // The row remains, so the sweep tries again. Only bytes that came after the row was removed
        // stay behind, if their place fails at this moment.
    }
}

std::unique_ptr<Source> Contents::read_back(const store::StoredContent& arrived) const {
    touch(arrived);
    return watched(open(arrived.content), touching(arrived));
}

Contents::Availability Contents::availability_of(const model::Content& content) const {
    try {
        const bool has_some = at(content.place).has_bytes(content.name);
        return has_some == (content.size > 0) ? Availability::there : Availability::unknown;
    } catch (const NotThere&) {
        return Availability::gone;
    } catch (const PlaceError&) {
        return Availability::unknown;
    }
}

LostCopies Contents::lost_copies(const store::StoredContent& arrived) const {
    const model::Content& content = arrived.content;
    const auto copies = database_.read([&](store::Connection& connection) {
        return store::same_contents(connection, content.sha256, content.size);
    });
    LostCopies lost;
    for (const store::StoredContent& copy : copies) {
        const Availability availability = availability_of(copy.content);
        if (availability != Availability::there) lost.all.insert(copy.id);
        if (availability == Availability::gone) lost.gone.insert(copy.id);
    }
    return lost;
}

// Locks the row it chooses before it replaces lost ones. So references only move to a content that
// stays. Two uploads may replace the same lost content: the second finds it condemned.
store::StoredContent Contents::keep(store::Connection& connection,
                                    const store::StoredContent& arrived,
                                    const LostCopies& lost) const {
    auto kept = take_same_or_new(connection, arrived, lost);
    for (const model::ContentId gone : lost.gone) {
        // False when another upload has replaced it meanwhile.
        static_cast<void>(store::replace_content(connection, gone, kept.id));
    }
    return kept;
}

store::StoredContent Contents::take_same_or_new(store::Connection& connection,
                                                const store::StoredContent& arrived,
                                                const LostCopies& lost) const {
    const model::Content& content = arrived.content;
    const auto copies = store::same_contents(connection, content.sha256, content.size);
    for (const store::StoredContent& same : copies) {
        // A lost copy is skipped, so that the fresh bytes repair it. hold_content() locks the row,
        // and fails if a sweep has condemned the content since it was listed.
        if (!lost.all.contains(same.id) && store::hold_content(connection, same.id)) return same;
    }
    keep_new(connection, arrived);
    return arrived;
}

void Contents::keep_new(store::Connection& connection, const store::StoredContent& arrived) const {
    if (!store::keep_content(connection, arrived)) throw_not_awaited(arrived.content.name);
}

// Condemning commits first: from then on nothing can refer to the content. Then bytes go before the
// row, so that a crash leaves a row for the next sweep. Two callers at once both remove; each step
// does nothing the second time.
bool Contents::remove_unused(const store::StoredContent& content,
                             std::chrono::seconds patience) const {
    const bool is_going = database_.write([&](store::Connection& connection) {
        return store::condemn_content(connection, content.id, patience);
    });
    if (!is_going) return false;
    at(content.content.place).remove(content.content.name);
    database_.write(
        [&](store::Connection& connection) { store::forget_content(connection, content.id); });
    return true;
}

void Contents::discard(const store::StoredContent& arrived) const {
    try {
        remove_unused(arrived, std::chrono::seconds{0});
    } catch (const std::exception&) {
        // The row remains, so the sweep tries again.
    }
}

}  // namespace provisioner::contents
