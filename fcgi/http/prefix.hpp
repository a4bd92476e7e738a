#pragma once

#include <string>
#include <string_view>

#include "fcgi/http/message.hpp"
#include "provisioner/base/config.hpp"

namespace fcgi::http {

/// The path below which the whole site stands, when it shares a host with other sites: setting
/// web.prefix, for example "/cooperage". Empty for a host of its own.
///
/// Routes, handlers and views are written as if there were no prefix. Only this class knows it:
/// strip() takes it from what comes in, add() puts it before what goes out. Two things need it by
/// themselves and find it in Request::prefix: the session cookie and the addresses in JSON bodies.
class Prefix {
 public:
    /// No prefix.
    Prefix() = default;

    /// Throws std::invalid_argument, with every reason, unless `text` is empty or begins with '/',
    /// does not end with '/', and its segments are letters, digits, '-', '_', '.' and '~' and
    /// neither empty nor "." nor "..".
    explicit Prefix(std::string text);

    /// Moves the prefix from Request::path to Request::prefix. False, and an unchanged request, if
    /// the path is not below the prefix. "/cooperage" itself becomes "/". The path has to have the
    /// prefix literally: percent-encoded letters and repeated slashes do not match.
    bool strip(Request& request) const;

    /// Takes the beginning "/view/{tenant}" from Request::path, if it has one; strip() comes first.
    static void strip_view(Request& request);

    /// Puts the prefix before every address of this site in the response: in the headers Location
    /// and Link, and in attributes of HTML that hold an address (href, src, action, formaction,
    /// data-document). An address is of this site if it begins with exactly one '/'. Values in the
    /// HTML must be escaped, so that a quote is always one of the template.
    ///
    /// `view_path` follows the prefix, unless the address is_outside_of_views().
    Response add(Response response, const std::string& view_path = "") const;

 private:
    std::string text_;
};

/// Whether an address, or the text that begins with it, is of what no view of a tenant has: files,
/// the own account, the ways in and out, and the pages of the installation.
bool is_outside_of_views(std::string_view address);

/// The prefix in web.prefix. Throws std::runtime_error that names the setting and every reason.
Prefix prefix_in(const provisioner::base::Config& config);

}  // namespace fcgi::http
