#pragma once

#include <optional>
#include <string>
#include <vector>

#include "provisioner/model/tenants/tenant.hpp"
#include "provisioner/store/database/database.hpp"

namespace provisioner::store {

/// What somebody typed into a form that was not carried out yet: a login came between, or it is
/// to be previewed. It has no secrets.
struct KeptForm {
    /// Path below the prefix of the site, with its query: what the form is sent to. At most 2,048
    /// bytes.
    std::string path;
    /// The fields as application/x-www-form-urlencoded text, without the csrf token.
    std::string body;
};

/// Keeps a form under a new random id, 32 hexadecimal digits, which is returned. Of one user
/// the newest 20 of each path are kept, and 100 in all, so that drafts do not displace others.
/// Retention deletes them after 24 hours.
std::string keep_form(Connection& connection, model::UserId user, const KeptForm& form,
                      base::Timestamp now);

/// A form that this user has kept. `id` is what keep_form returned, or any other text.
std::optional<KeptForm> find_form(Connection& connection, model::UserId user,
                                  const std::string& id);

/// A form that is kept, without most of its fields.
struct KeptFormLine {
    std::string id{};
    /// The first 600 characters of KeptForm::body.
    std::string begin{};
    base::Timestamp created_at{};
};

/// The forms that this user has kept for a path, newest first.
std::vector<KeptFormLine> list_forms(Connection& connection, model::UserId user,
                                     const std::string& path);

/// Deletes a form that this user has kept; does nothing when there is none.
void delete_form(Connection& connection, model::UserId user, const std::string& id);

/// Gives a kept form other fields.
void replace_form(Connection& connection, model::UserId user, const std::string& id,
                  const std::string& body);

/// What is known of a form that is sent.
struct SentForm {
    /// True if it is sent for the first time: carry it out and say how it ended (end_form,
    /// forget_form).
    bool is_first = false;
    /// Where the answer to the first one led; nothing while that is being carried out, and when it
    /// is not known how it ended.
    std::optional<std::string> location{};
};

/// Notes that a user has sent a form. `name` has 64 hexadecimal digits. Two requests at the same
/// time: exactly one is the first.
SentForm begin_form(Connection& connection, model::UserId user, const std::string& name,
                    base::Timestamp now);

/// What is known of a form that a user has sent before; nothing of one that was not sent.
std::optional<SentForm> find_sent_form(Connection& connection, model::UserId user,
                                       const std::string& name);

/// The form was carried out, and its answer led to `location`, which may be empty.
void end_form(Connection& connection, model::UserId user, const std::string& name,
              const std::string& location);

/// The form was refused: it may be sent again.
void forget_form(Connection& connection, model::UserId user, const std::string& name);

}  // namespace provisioner::store
