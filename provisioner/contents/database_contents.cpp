#include "provisioner/contents/database_contents.hpp"

#include <algorithm>
#include <cstring>

#include "provisioner/contents/sources.hpp"
#include "provisioner/store/plugins/content_rows.hpp"

namespace provisioner::contents {

namespace {

/// Pieces deleted in one transaction. A larger transaction would delay replication in a database
/// cluster.
constexpr int pieces_at_once = 32;

class PiecesSource final : public Source {
 public:
    PiecesSource(store::Database& database, std::string name, std::string first)
        : database_(database), name_(std::move(name)), piece_(std::move(first)) {}

    std::size_t read(char* into, std::size_t size) override {
        if (at_ == piece_.size() && !at_end_) fetch();
        const std::size_t count = std::min(size, piece_.size() - at_);
        std::memcpy(into, piece_.data() + at_, count);
        at_ += count;
        return count;
    }

 private:
    void fetch() {
        auto next = database_.look([&](store::Connection& connection) {
            return store::find_piece(connection, name_, position_ + 1);
        });
        at_end_ = !next;
        at_ = 0;
        ++position_;
        piece_ = std::move(next).value_or("");
    }

    store::Database& database_;
    std::string name_;
    std::string piece_;
    std::size_t at_ = 0;
    int position_ = 0;
    bool at_end_ = false;
};

}  // namespace

// A sweep may give the upload up at any moment. From then on insert_piece() returns false, so no
// piece is added after the sweep has removed the others.
void DatabaseContents::put(const std::string& name, Source& from, std::uint64_t size) {
    std::string piece;
    std::uint64_t done = 0;
    // An empty content has one empty piece, which tells it from a missing one.
    for (int position = 0; position == 0 || done < size; ++position) {
        piece.resize(std::min<std::uint64_t>(store::piece_size, size - done));
        if (read_fully(from, piece.data(), piece.size()) < piece.size()) throw_wrong_size(size);
        const bool awaited = database_.write([&](store::Connection& connection) {
            return store::insert_piece(connection, name, position, piece);
        });
        if (!awaited) throw_not_awaited(name);
        done += piece.size();
    }
    expect_end(from);
}

std::unique_ptr<Source> DatabaseContents::open(const std::string& name) {
    auto first = database_.look(
        [&](store::Connection& connection) { return store::find_piece(connection, name, 0); });
    if (!first) throw NotThere("the database has no content " + name);
    return std::make_unique<PiecesSource>(database_, name, *std::move(first));
}

void DatabaseContents::remove(const std::string& name) {
    const auto delete_some = [&](store::Connection& connection) {
        return store::delete_pieces(connection, name, pieces_at_once);
    };
    while (database_.write(delete_some)) continue;
}

}  // namespace provisioner::contents
