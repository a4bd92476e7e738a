#include "fcgi/pages/profile/notifications.hpp"

#include <algorithm>
#include <array>
#include <stdexcept>

#include "fcgi/http/form_data.hpp"
#include "fcgi/pages/form_field.hpp"
#include "fcgi/pages/frame.hpp"
#include "fcgi/pages/profile/small_form.hpp"
#include "fcgi/pages/refusals.hpp"
#include "fcgi/pages/words.hpp"
#include "provisioner/messages/translated.hpp"
#include "provisioner/operations/tenants/mails.hpp"
#include "provisioner/store/tenants/mail_store.hpp"

namespace fcgi::pages {

using http::Request;
using http::Response;
using provisioner::base::Json;
using provisioner::messages::for_translation;
using provisioner::messages::translated;
using provisioner::model::CallbackEvent;
using provisioner::model::MailChoice;
namespace base = provisioner::base;
namespace operations = provisioner::operations;
namespace store = provisioner::store;

namespace {

/// An event that can be chosen: its words behind a box, and in a list.
struct EventOffer {
    CallbackEvent event;
    const char* label;
    const char* word;
};

constexpr std::array event_offers{
    EventOffer{CallbackEvent::failure, for_translation("An operation failed"),
               for_translation("failures")},
    EventOffer{CallbackEvent::expiring, for_translation("A lease is about to end"),
               for_translation("leases about to end")},
    EventOffer{CallbackEvent::success, for_translation("An operation finished"),
               for_translation("finished operations")}};

/// What those who administer something choose besides: the words behind its box, below it, and in a
/// list.
struct AdministeredOffer {
    provisioner::model::Role role;
    const char* label;
    const char* hint;
    const char* word;
};

constexpr std::array administered_offers{
    AdministeredOffer{
        provisioner::model::Role::superadmin,
        for_translation("A problem of the installation begins or ends"),
        for_translation(
            "A provisioner is silent for 5 minutes, a task waits 15 minutes for a worker, or 80 % "
            "of a budget is used. Provisioners send these emails: a single one cannot say that it "
            "has stopped."),
        for_translation("problems of the installation")},
    AdministeredOffer{
        provisioner::model::Role::admin,
        for_translation("The budget of the tenant is nearly used up"),
        for_translation("At 80 % of it, and when that is over. Superadmins set the budget."),
        for_translation("the budget of the tenant")}};

const AdministeredOffer* administered_offer(provisioner::model::Role role) {
    const auto* const offer =
        std::ranges::find(administered_offers, role, &AdministeredOffer::role);
    return offer == administered_offers.end() ? nullptr : offer;
}

FormField address_field(const std::string& address) {
    FormField field{.id = "input-address",
                    .name = "address",
                    .label = translated("Email address"),
                    .value = address,
                    .hint = translated("Empty: no emails. We first send a code to a new address.")};
    field.type = "email";
    field.autocomplete = "email";
    return field;
}

FormField mail_code_field() {
    FormField field = code_field();
    field.hint = translated("Eight characters from the email.");
    return field;
}

NotificationsPage page_of_choice(const auth::Visitor& visitor, App& app) {
    NotificationsPage page{.sends_mail = app.sends_mail};
    app.database.read([&](store::Connection& connection) {
        const auto user = visitor.who().user.id;
        page.choice = store::find_mail_choice(connection, user);
        page.is_code_good =
            operations::is_good(store::find_mail_code(connection, user), app.clock.now());
        page.delivery = store::delivery_of_code(connection, user);
    });
    page.address =
        page.choice.next_address.empty() ? page.choice.address : page.choice.next_address;
    page.events = page.choice.events;
    page.of_installation = page.choice.of_installation;
    page.of_failed_logins = page.choice.of_failed_logins;
    page.role = visitor.who().user.role;
    if (page.address.empty() && page.events.empty()) {
        page.events = {CallbackEvent::failure, CallbackEvent::expiring};
    }
    return page;
}

Response draw_notifications(App& app, const auth::Visitor& visitor, int status,
                            const NotificationsPage& page) {
    return drawn(app, visitor, status, "profile/notifications",
                 {.title = translated("Notifications"), .section = "profile"}, to_json(page));
}

std::string delivery_words(provisioner::model::CodeDelivery delivery) {
    using provisioner::model::CodeDelivery;
    switch (delivery) {
        case CodeDelivery::ended:
            return translated(
                "We sent a code to this address. It is valid for 30 minutes. No email? Save the "
                "address again to get a new code.");
        case CodeDelivery::waiting:
            return translated(
                "A code is being sent to this address. It is valid for 30 minutes. Reload this "
                "page to see whether it was sent.");
        case CodeDelivery::failing:
            return translated(
                "The code could not be sent yet, because the mail server did not take it. It is "
                "tried again until it expires, 30 minutes after you saved the address.");
    }
    throw std::logic_error("unknown delivery of a code");
}

std::string notifications_done(const std::string& what, const std::string& address,
                               const std::string& unconfirmed) {
    if (what == "saved" && address.empty()) {
        return translated("Saved. Without an address no emails are sent.");
    }
    if (what == "saved" && !unconfirmed.empty()) {
        return translated("Saved. Emails go to {0} only after you confirm it below.", unconfirmed);
    }
    if (what == "saved") return translated("Saved.");
    if (what == "confirmed") return translated("Address confirmed.");
    return "";
}

}  // namespace

std::string mail_choice_words(const MailChoice& choice, provisioner::model::Role role) {
    std::vector<std::string> events;
    for (const EventOffer& offer : event_offers) {
        if (choice.events.contains(offer.event)) events.push_back(translated(offer.word));
    }
    const auto* const administered = administered_offer(role);
    if (choice.of_installation && administered != nullptr) {
        events.push_back(translated(administered->word));
    }
    if (choice.of_failed_logins) events.push_back(translated("failed logins"));
    if (!choice.address.empty() && !events.empty()) {
        return translated("Emails about {0} to {1}", listed(events), choice.address);
    }
    if (!choice.next_address.empty()) {
        return translated("{0} is not confirmed: enter the code from the email",
                          choice.next_address);
    }
    return translated("No emails");
}

Json to_json(const NotificationsPage& page) {
    Json json = form_json(translated("Couldn't save the notifications"),
                          {address_field(page.address), mail_code_field()}, page.problems,
                          {{"events", "events", translated("Events")}});
    json["sends_mail"] = page.sends_mail;
    json["address_fields"] = {to_json(address_field(page.address), page.problems)};
    json["code_fields"] = {to_json(mail_code_field(), page.problems)};
    json["events"] = Json::array();
    for (const EventOffer& offer : event_offers) {
        Json item;
        item["word"] = base::to_word(offer.event);
        item["label"] = translated(offer.label);
        item["is_chosen"] = page.events.contains(offer.event);
        json["events"].push_back(std::move(item));
    }
    json["of_failed_logins"] = page.of_failed_logins;
    json["is_superadmin"] = page.role == provisioner::model::Role::superadmin;
    json["administered"] = nullptr;
    if (const auto* const offer = administered_offer(page.role)) {
        json["administered"] = {{"label", translated(offer->label)},
                                {"hint", translated(offer->hint)},
                                {"is_chosen", page.of_installation}};
    }
    json["events_problem"] = messages_for("events", page.problems);
    json["present"] = page.choice.address;
    json["is_code_good"] = page.is_code_good;
    json["delivery"] = delivery_words(page.delivery);
    json["is_code_late"] = page.delivery == provisioner::model::CodeDelivery::failing;
    json["next_address"] = page.choice.next_address;
    json["done"] = page.done;
    return json;
}

Response show_notifications(const Request& request, const auth::Visitor& visitor, App& app) {
    NotificationsPage page = page_of_choice(visitor, app);
    page.done = notifications_done(request.query_value("done").value_or(""), page.address,
                                   page.choice.next_address);
    return draw_notifications(app, visitor, 200, page);
}

Response choose_notifications(const Request& request, const auth::Visitor& visitor, App& app) {
    if (!app.sends_mail) return http::see_other("/profile/notifications");
    const auto sent = http::parse_form(request.body);
    if (auto refused = if_incomplete(app, visitor, sent, {"address"})) return *refused;
    operations::MailWish wish{.address = sent.trimmed("address"),
                              .of_installation = sent.has("installation"),
                              .of_failed_logins = sent.has("logins")};
    for (const std::string& word : sent.all("events")) {
        if (const auto event = base::from_word<CallbackEvent>(word)) wish.events.insert(*event);
    }
    const auto chosen =
        operations::choose_mails(app.database, visitor.who(), wish, app.clock.now());
    if (chosen) return http::see_other("/profile/notifications?done=saved");
    NotificationsPage page = page_of_choice(visitor, app);
    page.address = wish.address;
    page.events = wish.events;
    page.of_installation = wish.of_installation;
    page.of_failed_logins = wish.of_failed_logins;
    page.problems = chosen.error().problems;
    return with_status_of(chosen.error(), draw_notifications(app, visitor, 422, page));
}

Response confirm_notifications(const Request& request, const auth::Visitor& visitor, App& app) {
    const auto sent = http::parse_form(request.body);
    const auto confirmed = operations::confirm_mail_address(
        app.database, visitor.who(), base::Secret(sent.trimmed("code")), app.clock.now());
    if (confirmed) return http::see_other("/profile/notifications?done=confirmed");
    NotificationsPage page = page_of_choice(visitor, app);
    page.problems = confirmed.error().problems;
    return with_status_of(confirmed.error(), draw_notifications(app, visitor, 422, page));
}

}  // namespace fcgi::pages
