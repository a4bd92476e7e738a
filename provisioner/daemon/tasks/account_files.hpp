#pragma once

#include <map>
#include <mutex>
#include <string>

#include "provisioner/contents/contents.hpp"
#include "provisioner/model/machines/account.hpp"
#include "provisioner/store/database/database.hpp"

namespace provisioner::daemon {

/// Reads the files of provider plugins that accounts name: a field "ssh_key_resource" names a live
/// file of the resource type "ssh_keys", "user_data_resource" one of "user_data". Any thread.
class AccountFiles {
 public:
    /// `contents` must outlive it.
    explicit AccountFiles(const contents::Contents& contents) : contents_(contents) {}

    /// Adds the texts to `account.files`, and to `account.secrets` what must not be shown. A file
    /// that is not there, cannot be read or has more than 256 KiB (a secret one: 64 KiB) is left
    /// out; providers say so. Reads the database, and places of contents for texts that it has not
    /// seen lately.
    void add(store::Connection& connection, model::Account& account);

 private:
    /// The bytes of a content; empty when they cannot be read.
    std::string text_of(const model::Content& content);

    const contents::Contents& contents_;
    std::mutex mutex_;
    /// By SHA-256; at most 256.
    std::map<std::string, std::string> texts_;
};

}  // namespace provisioner::daemon
