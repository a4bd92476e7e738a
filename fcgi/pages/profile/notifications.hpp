#pragma once

#include <string>

#include "fcgi/app.hpp"
#include "provisioner/base/json.hpp"
#include "provisioner/base/problem.hpp"
#include "provisioner/model/tenants/mail.hpp"

namespace fcgi::pages {

/// Which mails one gets: views/profile/notifications.
struct NotificationsPage {
    /// Whether this installation sends mails at all.
    bool sends_mail = true;
    /// As it is stored.
    provisioner::model::MailChoice choice{};
    /// Whether the code of the next address can still be given.
    bool is_code_good = true;
    /// Of its mail.
    provisioner::model::CodeDelivery delivery = provisioner::model::CodeDelivery::ended;
    /// What was typed, or is stored.
    std::string address{};
    std::set<provisioner::model::CallbackEvent> events{};
    bool of_installation = false;
    bool of_failed_logins = false;
    /// Superadmins may choose mails about the installation, administrators about the budget of
    /// their tenant.
    provisioner::model::Role role = provisioner::model::Role::user;
    /// What has just been done, in words; may be empty.
    std::string done{};
    provisioner::base::Problems problems{};
};

provisioner::base::Json to_json(const NotificationsPage& page);

/// One sentence for the profile: "Failures and leases that end, to ada@example.com."
std::string mail_choice_words(const provisioner::model::MailChoice& choice,
                              provisioner::model::Role role);

/// GET and POST /profile/notifications. Done: 303 to itself.
http::Response show_notifications(const http::Request& request, const auth::Visitor& visitor,
                                  App& app);
http::Response choose_notifications(const http::Request& request, const auth::Visitor& visitor,
                                    App& app);
/// POST /profile/notifications/code. Done: 303 to GET /profile/notifications.
http::Response confirm_notifications(const http::Request& request, const auth::Visitor& visitor,
                                     App& app);

}  // namespace fcgi::pages
