#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "fcgi/app.hpp"
#include "fcgi/http/form_data.hpp"
#include "provisioner/operations/sign_in/sign_in.hpp"
#include "provisioner/store/forms/form_store.hpp"

namespace fcgi::pages {

/// The field that names a secret that was filled in and stands in its place.
inline constexpr auto kept_secret = "kept-secret";

/// A form that was sent and could not be carried out: its sender had to log in, to prove who they
/// are, or sent it from a page that was out of date. What was typed is kept, secrets excepted, and
/// given back on a page of its own (GET /forms/{id}), from which one press sends it.
/// Secrets are kept only while a form lacks_only_a_proof(), sealed.
///
/// Until somebody has logged in, nothing is stored: the form travels in two hidden fields of the
/// pages of the log-in, that of the second factor included. So who knows the password but not the
/// second factor neither leaves a form for its user nor displaces one. After that it is stored for
/// its user, so its page has an address. Only the session of that log-in sees it.

/// Whether a request is the form of a page of this site, as its browser says in so many words, and
/// not one that is about passwords or sessions. Its body need not be read yet.
bool may_be_kept(const http::Request& request);

/// What can be kept of a request: one that may_be_kept, whose body has no more than `most` bytes.
/// Nothing for any other request. Fields that sound secret are left out, and the page asks for them
/// again. Reads Request::body.
std::optional<provisioner::store::KeptForm> form_to_keep(const http::Request& request,
                                                         std::size_t most);

/// Longest body that travels in the fields of a login page, in bytes.
/// A browser writes it into another form, which makes it up to three times as long; the form of
/// the login may have http::form_limit.
constexpr std::size_t longest_travelling_form = 20 * 1024;

/// Marks a form of which nothing is missing but a proof of who sent it: it is carried out with the
/// password or code that proves it (form_to_carry_out), with the secrets of `request`, which it was
/// made of: they are kept sealed until then. Forms proven at an identity provider are not: their
/// page asks, also for the secrets.
void lacks_only_a_proof(App& app, const auth::Visitor& visitor, const http::Request& request,
                        provisioner::store::KeptForm& form);

/// Makes a form one that only this session may_see(), until its page was drawn there.
void belongs_to_session(provisioner::store::KeptForm& form, provisioner::model::SessionId session);

/// Whether a visitor may have a form of their own: one that belongs_to_session() only in that.
bool may_see(const provisioner::store::KeptForm& form, const auth::Visitor& visitor);

/// The form that travels with a form of the login; nothing if none does, or if it leads elsewhere.
/// It comes from outside, so it has no marks.
std::optional<provisioner::store::KeptForm> travelling_form(const http::FormData& sent);

/// The members kept_path and kept_body of views/tenants/login; empty texts for no form.
provisioner::base::Json travelling_json(const std::optional<provisioner::store::KeptForm>& form);

/// The fields of a form without its csrf token and without those that `is_secret` says; in place of
/// each of these that was filled in stands a field "kept-secret" with its name.
std::string fields_to_keep(const http::FormData& sent,
                           const std::function<bool(const std::string&)>& is_secret);

/// Stores a form for its user and returns its id.
std::string keep(App& app, provisioner::model::UserId user,
                 const provisioner::store::KeptForm& form);

/// Stores the form that a sign-in brought with it for the session that it began, and returns its
/// id.
std::string keep_of_sign_in(App& app, const provisioner::operations::SignInResult& result,
                            provisioner::store::KeptForm form);

/// Keeps the fields of a form that is not to be carried out yet, for the page at `path`, and
/// returns the id of the draft. Its page has an address with that id, so Back, Forward and reload
/// work. Unlike other kept forms, fields are kept as they are, passwords of configurations
/// included; only their user reads them. They include the one that asks for the preview: whoever
/// sends the draft from GET /forms/{id} gets the preview again.
std::string keep_draft(App& app, const auth::Visitor& visitor, const std::string& path,
                       const http::FormData& fields);

/// The fields of the visitor's draft for the page at `path`; nothing if it is gone, of another page
/// or somebody else's.
std::optional<http::FormData> find_draft(App& app, const auth::Visitor& visitor,
                                         const std::string& id, const std::string& path);

/// The draft that `draft` in the query names, for the path of the request.
std::optional<http::FormData> draft_in(const http::Request& request, const auth::Visitor& visitor,
                                       App& app);

/// The page (404) that says that a draft is gone, with a way on.
http::Response gone_draft(App& app, const auth::Visitor& visitor, const std::string& href,
                          const std::string& label);

/// The same for a `draft` in the query that draft_in() does not find; nothing if it names none.
std::optional<http::Response> gone_draft_in(const http::Request& request,
                                            const auth::Visitor& visitor, App& app);

/// The path of the page of a kept form.
std::string page_of_kept_form(const std::string& id);

/// The form whose page is at `page`, without marks; nothing for another address and for a form of
/// somebody else.
std::optional<provisioner::store::KeptForm> form_at(App& app, const auth::Visitor& visitor,
                                                    const std::string& page);

/// The page of the form that is kept at `page`, filled in as it was sent, if that page can draw
/// itself from a draft_in(); otherwise `page`.
std::string way_back_to_form(App& app, const auth::Visitor& visitor, const std::string& page);

/// The same for a form that lacks_only_a_proof(), when that was given: its fields with its secrets,
/// to be carried out once. Nothing for one whose secrets cannot be opened, which are to be typed
/// again on its page, and for one that was carried out or shown before.
std::optional<provisioner::store::KeptForm> form_to_carry_out(App& app,
                                                              const auth::Visitor& visitor,
                                                              const std::string& page);

/// What the page of a kept form shows.
struct KeptFormPage {
    provisioner::store::KeptForm form{};
};

provisioner::base::Json to_json(const KeptFormPage& page);

/// GET /forms/{id}: shows a kept form. Another user's form is not found. Where scripts run, the
/// first drawing of a form that lacks_only_a_proof() sends it.
http::Response show_kept_form(const http::Request& request, const auth::Visitor& visitor, App& app);

}  // namespace fcgi::pages
