#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "provisioner/messages/messages.hpp"

namespace provisioner::messages {

/// The language that a reader wants most of those in `languages`: an Accept-Language header (RFC
/// 9110, 12.5.4) matched by lookup (RFC 4647, 3.4), so "de" serves who asks for "de-AT". Empty for
/// English, and if none is wanted.
std::string wanted_language(std::string_view accept_language,
                            const std::vector<std::string>& languages);

/// While it lives, what this thread writes for readers is in a language. One at a time in a thread.
class Reader {
 public:
    /// `messages` must outlive it; null for English.
    explicit Reader(const Messages* messages);
    ~Reader();
    Reader(const Reader&) = delete;
    Reader& operator=(const Reader&) = delete;
};

/// The language of this thread's reader; null for English, and without a reader.
const Messages* messages_of_reader();

}  // namespace provisioner::messages
