#pragma once

#include <cstddef>

struct _LIBSSH2_SESSION;

namespace provisioner::remote {

/// The memory of one session of libssh2, which keeps every packet that nobody asks for until its
/// session ends. What exceeds the limit is refused, and what libssh2 has lost by its end is freed.
class SessionMemory {
 public:
    /// Around each block: a node may send very many small packets.
    static constexpr std::size_t around_a_block = 64;

    /// Gives at most that many bytes in all.
    explicit SessionMemory(std::size_t most);
    ~SessionMemory();
    SessionMemory(const SessionMemory&) = delete;
    SessionMemory& operator=(const SessionMemory&) = delete;

    /// As malloc(3): null where it would be too much.
    void* take(std::size_t size);
    /// As realloc(3): null where it would be too much, and the block stays as it is then.
    void* resize(void* block, std::size_t size);
    /// As free(3).
    void give_back(void* block);

    /// What is held at the moment, in bytes.
    std::size_t held() const { return held_; }
    std::size_t most() const { return most_; }
    /// Whether more was ever asked for than there is.
    bool was_exceeded() const { return was_exceeded_; }

 private:
    struct Block;

    std::size_t most_;
    std::size_t held_ = 0;
    Block* first_ = nullptr;
    bool was_exceeded_ = false;
};

/// A session of libssh2 that the other side cannot make hold much memory, nor keep busy: it
/// receives a piece at a time, and offers strong methods only.
class LibrarySession {
 public:
    /// The most that a session holds. Two channels with a full window of 2 MiB each, one that stays
    /// and one for a command, need less than 6 MiB.
    static constexpr std::size_t most_held = 16UL << 20;
    /// The most that is received in one turn.
    static constexpr std::size_t most_received = 256UL << 10;

    /// Throws TransportError when libssh2 cannot begin.
    LibrarySession();
    /// The socket must be shut down, so that nothing waits.
    ~LibrarySession();
    LibrarySession(const LibrarySession&) = delete;
    LibrarySession& operator=(const LibrarySession&) = delete;

    _LIBSSH2_SESSION* get() const { return session_; }

    /// Before the handshake: leaves nothing but what is strong to choose from. Throws
    /// TransportError when this version of libssh2 knows nothing that is.
    void offer_strong_methods();

    /// Lets the next call receive again, up to `most_received`. Beyond that the socket seems empty
    /// to libssh2: it returns EAGAIN, and the other sessions of the loop get their turn.
    void begin_turn() { left_to_receive_ = most_received; }

    /// Whether the other side has sent more than `most_held` that nobody has asked for. Nothing is
    /// received any more then.
    bool has_sent_too_much() const { return memory_.was_exceeded(); }

    /// Whether the other side ended the connection because of the keys it refused.
    bool had_too_many_tries() const { return had_too_many_tries_; }

 private:
    /// What libssh2 calls.
    struct Callbacks;

    SessionMemory memory_{most_held};
    _LIBSSH2_SESSION* session_ = nullptr;
    std::size_t left_to_receive_ = most_received;
    bool had_too_many_tries_ = false;
};

}  // namespace provisioner::remote
