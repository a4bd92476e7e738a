#include "provisioner/model/tenants/mail.hpp"

#include "provisioner/model/names.hpp"

namespace provisioner::model {

namespace {

constexpr std::size_t longest_mail_address = 254;
constexpr std::size_t longest_local_part = 64;
constexpr std::string_view characters_of_local_part =
    "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789!#$%&'*+-/=?^_`{|}~.";

bool is_local_part(std::string_view text) {
    return !text.empty() && text.size() <= longest_local_part && text.front() != '.' &&
           text.back() != '.' && text.find("..") == std::string_view::npos &&
           text.find_first_not_of(characters_of_local_part) == std::string_view::npos;
}

}  // namespace

std::string mail_footer(const std::string& site) {
    return "-- \nYou get this mail because your profile in Cooperage says so" +
           (site.empty() ? ".\n" : ":\n" + site + "/profile/notifications\n");
}

std::string minute_in_utc(base::Timestamp moment) {
    constexpr std::size_t up_to_minutes = sizeof "2026-11-26 17:50" - 1;
    return base::to_sql(moment).substr(0, up_to_minutes) + " UTC";
}

bool is_mail_address(const std::string& text) {
    const auto at = text.rfind('@');
    if (at == std::string::npos || text.size() > longest_mail_address) return false;
    return is_local_part(std::string_view(text).substr(0, at)) &&
           is_dns_suffix(std::string_view(text).substr(at + 1));
}

}  // namespace provisioner::model
