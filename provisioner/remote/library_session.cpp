#include "provisioner/remote/library_session.hpp"

#include <libssh2.h>
#include <sys/socket.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <new>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "provisioner/remote/methods.hpp"
#include "provisioner/remote/session.hpp"

namespace provisioner::remote {

namespace {

/// Sets up the global state of libssh2 and its crypto library once. The initialisation of a static
/// variable makes other threads wait until it is done.
void start_libssh2() {
    static const int failed = libssh2_init(0);
    if (failed != 0) throw TransportError("libssh2 does not start");
}

using Callback = void (*)();

void set_callback(LIBSSH2_SESSION* session, int which, Callback callback) {
#if LIBSSH2_VERSION_NUM >= 0x010b01
    libssh2_session_callback_set2(session, which, callback);
#else
    libssh2_session_callback_set(session, which, reinterpret_cast<void*>(callback));
#endif
}

/// The names that this version of the library has for a method.
std::vector<std::string_view> supported_methods(LIBSSH2_SESSION* session, int method) {
    const char** names = nullptr;
    const int count = libssh2_session_supported_algs(session, method, &names);
    if (count <= 0) return {};
    std::vector<std::string_view> all(names, names + count);
    // The list is ours, the names are the library's and stay.
    libssh2_free(session, names);
    return all;
}

}  // namespace

/// Stands before what libssh2 gets, and knows its neighbours, so that what is lost is found.
struct alignas(std::max_align_t) SessionMemory::Block {
    std::size_t size;
    Block* before;
    Block* after;

    static Block* of(void* content) { return static_cast<Block*>(content) - 1; }
    void* content() { return this + 1; }
};

SessionMemory::SessionMemory(std::size_t most) : most_(most) {
    static_assert(sizeof(Block) <= around_a_block);
}

SessionMemory::~SessionMemory() {
    while (first_ != nullptr) give_back(first_->content());
}

void* SessionMemory::take(std::size_t size) {
    if (size > most_ || size + around_a_block > most_ - held_) {
        was_exceeded_ = true;
        return nullptr;
    }
    void* room = std::malloc(sizeof(Block) + size);
    if (room == nullptr) return nullptr;
    auto* block = new (room) Block{.size = size, .before = nullptr, .after = first_};
    if (first_ != nullptr) first_->before = block;
    first_ = block;
    held_ += size + around_a_block;
    return block->content();
}

void* SessionMemory::resize(void* content, std::size_t size) {
    if (content == nullptr) return take(size);
    const std::size_t before = Block::of(content)->size;
    // Both are there for a moment, which is as it would be with realloc(3).
    void* other = take(size);
    if (other == nullptr) return nullptr;
    std::memcpy(other, content, std::min(before, size));
    give_back(content);
    return other;
}

void SessionMemory::give_back(void* content) {
    if (content == nullptr) return;
    Block* block = Block::of(content);
    (block->before == nullptr ? first_ : block->before->after) = block->after;
    if (block->after != nullptr) block->after->before = block->before;
    held_ -= block->size + around_a_block;
    std::free(block);
}

struct LibrarySession::Callbacks {
    static LibrarySession& of(void** abstract) { return *static_cast<LibrarySession*>(*abstract); }

    static void* take(std::size_t size, void** abstract) { return of(abstract).memory_.take(size); }

    static void* resize(void* block, std::size_t size, void** abstract) {
        return of(abstract).memory_.resize(block, size);
    }

    static void give_back(void* block, void** abstract) { of(abstract).memory_.give_back(block); }

    static ssize_t receive(libssh2_socket_t socket, void* buffer, std::size_t size, int flags,
                           void** abstract) {
        LibrarySession& session = of(abstract);
        // What was refused is missing in the middle: nothing behind it could be understood.
        if (session.has_sent_too_much()) return -ECONNABORTED;
        if (session.left_to_receive_ == 0) return -EAGAIN;
        const ssize_t received =
            ::recv(socket, buffer, std::min(size, session.left_to_receive_), flags);
        if (received < 0) return errno == EINTR ? -EAGAIN : -errno;
        session.left_to_receive_ -= static_cast<std::size_t>(received);
        return received;
    }

    /// With the words with which the other side ends the connection.
    static void hear_goodbye(LIBSSH2_SESSION*, int, const char* message, int size, const char*, int,
                             void** abstract) {
        if (message == nullptr || size <= 0) return;
        const std::string_view text(message, static_cast<std::size_t>(size));
        // OpenSSH's words.
        if (text.find("Too many authentication failures") == std::string_view::npos) return;
        of(abstract).had_too_many_tries_ = true;
    }
};

LibrarySession::LibrarySession() {
    start_libssh2();
    session_ =
        libssh2_session_init_ex(Callbacks::take, Callbacks::give_back, Callbacks::resize, this);
    if (session_ == nullptr) throw TransportError("libssh2 has no session left");
    set_callback(session_, LIBSSH2_CALLBACK_RECV, reinterpret_cast<Callback>(Callbacks::receive));
    set_callback(session_, LIBSSH2_CALLBACK_DISCONNECT,
                 reinterpret_cast<Callback>(Callbacks::hear_goodbye));
    libssh2_session_set_blocking(session_, 0);
}

LibrarySession::~LibrarySession() {
    // The socket is shut down by then, so every send fails at once. The bound protects against an
    // endless EAGAIN.
    for (int tries = 0; tries < 100; ++tries) {
        begin_turn();
        if (libssh2_session_free(session_) != LIBSSH2_ERROR_EAGAIN) return;
    }
}

// libssh2 offers all it knows, arcfour and MD5 among it, behind what is good. A server that knows
// nothing strong is refused: OpenSSH has some of each since 6.5 (2014).
void LibrarySession::offer_strong_methods() {
    for (const auto& [method, kind] : {std::pair{LIBSSH2_METHOD_KEX, MethodKind::exchange},
                                       std::pair{LIBSSH2_METHOD_CRYPT_CS, MethodKind::cipher},
                                       std::pair{LIBSSH2_METHOD_CRYPT_SC, MethodKind::cipher},
                                       std::pair{LIBSSH2_METHOD_MAC_CS, MethodKind::hash},
                                       std::pair{LIBSSH2_METHOD_MAC_SC, MethodKind::hash}}) {
        const std::string names = strong_methods(kind, supported_methods(session_, method));
        if (names.empty() || libssh2_session_method_pref(session_, method, names.c_str()) != 0) {
            throw TransportError("libssh2 does not know strong methods");
        }
    }
}

}  // namespace provisioner::remote
