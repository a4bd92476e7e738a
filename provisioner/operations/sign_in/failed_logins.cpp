#include "provisioner/operations/sign_in/failed_logins.hpp"

#include <algorithm>
#include <span>

#include "provisioner/store/tenants/mail_store.hpp"

namespace provisioner::operations {

namespace {

std::string times_in_words(std::int64_t times) {
    return times == 1 ? "once" : std::to_string(times) + " times";
}

std::int64_t tries_from(std::span<const store::FailedLogins> from) {
    std::int64_t tries = 0;
    for (const auto& one : from) tries += one.tries;
    return tries;
}

std::string address_lines(std::span<const store::FailedLogins> from) {
    const auto shown = from.first(std::min(from.size(), addresses_in_mail));
    std::string lines;
    for (const auto& one : shown) {
        lines += one.address + ": " + times_in_words(one.tries) + "\n";
    }
    const auto more = from.subspan(shown.size());
    if (more.empty()) return lines;
    return lines + std::to_string(more.size()) +
           (more.size() == 1 ? " more address: " : " more addresses: ") +
           times_in_words(tries_from(more)) + "\n";
}

std::string when_words(const store::FailedLoginNews& news) {
    const std::string first = model::minute_in_utc(news.first_at);
    const std::string last = model::minute_in_utc(news.last_at);
    return first == last ? "at " + first : "between " + first + " and " + last;
}

}  // namespace

model::Mail mail_about_failed_logins(const store::FailedLoginNews& news, const std::string& site) {
    const std::int64_t tries = tries_from(news.from);
    std::int64_t with_password = 0;
    for (const auto& one : news.from) with_password += one.with_password;
    model::Mail mail{.user = news.user, .address = news.mail_address};
    mail.subject = std::to_string(tries) + (tries == 1 ? " failed login" : " failed logins") +
                   " to Cooperage as " + news.user_name;
    mail.body = "Somebody tried to log in as " + news.user_name + " of the tenant " + news.tenant +
                " and failed: " + times_in_words(tries) + " " + when_words(news) +
                ".\n\nFrom these addresses:\n" + address_lines(news.from) + "\n";
    if (with_password > 0) {
        mail.body +=
            "The password was right and the second factor wrong: " + times_in_words(with_password) +
            ". If that was not you, somebody knows your password: change it.\n" +
            (site.empty() ? "" : site + "/profile/password\n") + "\n";
    }
    mail.body +=
        "If that was you, ignore this mail. Attempts that were made to wait after too many "
        "failures are not counted. The next mail comes in an hour at the earliest.\n\n" +
        model::mail_footer(site);
    return mail;
}

int tell_failed_logins(store::Database& database, const std::string& site) {
    const auto all = database.read([](store::Connection& connection) {
        return store::list_failed_login_news(connection, failed_logins_pause);
    });
    int told = 0;
    for (const auto& news : all) {
        told += database.write([&](store::Connection& connection) {
            if (!store::note_failed_logins(connection, news, failed_logins_pause)) return 0;
            store::insert_mail(connection, mail_about_failed_logins(news, site));
            return 1;
        });
    }
    return told;
}

}  // namespace provisioner::operations
