#include "provisioner/operations/catalogue/template_drafts.hpp"

#include "provisioner/model/catalogue/version.hpp"
#include "provisioner/model/plugins/sealed.hpp"
#include "provisioner/operations/audit.hpp"
#include "provisioner/operations/catalogue/edit.hpp"
#include "provisioner/store/catalogue/catalogue_store.hpp"
#include "provisioner/store/catalogue/draft_store.hpp"
#include "provisioner/store/catalogue/version_store.hpp"
#include "provisioner/store/tenants/tenant_store.hpp"

namespace provisioner::operations {

namespace {

using base::Json;

constexpr auto drafted_kind = model::CatalogueKind::cluster_template;

Json template_alone(Json entry) {
    if (entry.is_object()) entry.erase("version");
    return entry;
}

model::audit::Object object_of_template(const std::string& name) {
    return {.kind = audited(drafted_kind), .name = name};
}

base::unexpected<Refusal> refuse_deleted(const std::string& name) {
    return refuse(Refusal::Kind::not_found, "",
                  said(drafted_kind) + " " + name + " was deleted meanwhile.");
}

/// The draft with this number; 0: none.
Result<std::optional<model::TemplateDraft>> seen_draft(store::Connection& connection,
                                                       const model::Caller& caller,
                                                       const std::string& name, long long number) {
    auto draft = store::find_template_draft(connection, caller.tenant.id, name);
    if ((draft ? draft->number : 0) == number) return draft;
    const char* message = number == 0 ? "There is a draft of a change to this template already."
                          : draft     ? "The draft was changed meanwhile."
                                      : "The draft was put to use or thrown away meanwhile.";
    return refuse(Refusal::Kind::conflict, "draft", message);
}

/// A new draft of what the template said in that version.
Result<model::TemplateDraft> begun_draft(store::Connection& connection, const model::Caller& caller,
                                         const std::string& name, const model::SeenVersion& seen,
                                         base::Timestamp now) {
    const auto present =
        store::find_present_version(connection, caller.tenant.id, drafted_kind, name);
    if (model::is_created_anew(present, seen)) {
        return base::unexpected(*conflict_with(present, drafted_kind, name, {.based_on = seen}));
    }
    const auto base =
        store::find_entry(connection, caller.tenant.id, drafted_kind, name, seen.version);
    if (!base) {
        return refuse(Refusal::Kind::conflict, "version",
                      said(drafted_kind) + " " + name + " was changed meanwhile.");
    }
    return model::TemplateDraft{.name = name,
                                .base_version = seen.version,
                                .base = template_alone(*base),
                                .document = template_alone(*base),
                                .begun_by = caller.user.name,
                                .begun_at = now};
}

}  // namespace

std::string with_reason(const std::string& before, const std::string& added) {
    if (added.empty() || before == added || before.ends_with("; " + added)) return before;
    std::string both = before.empty() ? added : before + "; " + added;
    return both.size() > model::longest_note ? added : both;
}

Result<void> keep_template_draft(store::Connection& connection, const model::Caller& caller,
                                 const std::string& name, const DraftToKeep& kept,
                                 base::Timestamp now) {
    const auto entry = checked_entry(drafted_kind, kept.document);
    if (!entry) return base::unexpected(entry.error());
    if (base::text_at(*entry, "name") != name) {
        return refuse(Refusal::Kind::invalid, "name", "A draft cannot rename its template.");
    }
    if (!store::find_entry(connection, caller.tenant.id, drafted_kind, name)) {
        return refuse_deleted(name);
    }
    auto seen = seen_draft(connection, caller, name, kept.number);
    if (!seen) return base::unexpected(seen.error());
    auto draft = *seen ? Result<model::TemplateDraft>(**std::move(seen))
                       : begun_draft(connection, caller, name, kept.version, now);
    if (!draft) return base::unexpected(draft.error());
    const Json before = draft->document;
    auto whole = model::with_masked_values(*entry, before);
    if (!whole) return refuse(Refusal::Kind::invalid, whole.error());
    draft->document = template_alone(*std::move(whole));
    draft->written_by = caller.user.name;
    draft->written_at = now;
    draft->note = with_reason(draft->note, kept.note);
    store::put_template_draft(connection, caller.tenant.id, *draft);
    audit(connection, caller,
          {.action = audited(drafted_kind) + ".keep-draft",
           .object = object_of_template(name),
           .before = before,
           .after = draft->document,
           .reason = kept.note});
    return {};
}

Result<void> keep_template_draft(store::Database& database, const model::Caller& caller,
                                 const std::string& name, const DraftToKeep& kept,
                                 base::Timestamp now) {
    return database.write([&](store::Connection& connection) {
        store::lock_tenant(connection, caller.tenant.id);
        return keep_template_draft(connection, caller, name, kept, now);
    });
}

base::Merged merged_with(const model::TemplateDraft& draft, Json in_force,
                         const base::KeepsOurs& keeps_ours) {
    return base::merged_members(draft.base, draft.document, template_alone(std::move(in_force)),
                                keeps_ours);
}

Result<int> use_template_draft(store::Database& database, const model::Caller& caller,
                               const std::string& name, const DraftToUse& used,
                               base::Timestamp now) {
    const auto entry = checked_entry(drafted_kind, used.document);
    if (!entry) return base::unexpected(entry.error());
    return database.write([&](store::Connection& connection) -> Result<int> {
        const auto tenant = caller.tenant.id;
        store::lock_tenant(connection, tenant);
        const auto draft = seen_draft(connection, caller, name, used.number);
        if (!draft) return base::unexpected(draft.error());
        if (!*draft) return refuse(Refusal::Kind::not_found, "draft", "There is no draft.");
        const auto present = store::find_entry(connection, tenant, drafted_kind, name);
        // With another entry of this name the draft is another one, too.
        const EditOptions options{.based_on = model::SeenVersion{.version = used.version},
                                  .note = used.note};
        const auto version_now =
            store::find_present_version(connection, tenant, drafted_kind, name);
        if (auto conflict = conflict_with(version_now, drafted_kind, name, options)) {
            return base::unexpected(*std::move(conflict));
        }
        if (!present) return refuse_deleted(name);
        int version = used.version;
        if (template_alone(*present) != *entry) {
            const auto written = write_entry(connection, caller, drafted_kind, *entry, now,
                                             {.note = used.note, .verb = ".use-draft"});
            if (!written) return written;
            version = *written;
        } else {
            audit(connection, caller,
                  {.action = audited(drafted_kind) + ".use-draft",
                   .object = object_of_template(name),
                   .before = *present,
                   .after = *present,
                   .reason = used.note});
        }
        store::delete_template_draft(connection, tenant, name);
        return version;
    });
}

Result<void> drop_template_draft(store::Database& database, const model::Caller& caller,
                                 const std::string& name, long long number,
                                 const std::string& note) {
    return database.write([&](store::Connection& connection) -> Result<void> {
        store::lock_tenant(connection, caller.tenant.id);
        const auto draft = seen_draft(connection, caller, name, number);
        if (!draft) return base::unexpected(draft.error());
        store::delete_template_draft(connection, caller.tenant.id, name);
        if (!*draft) return {};
        audit(connection, caller,
              {.action = audited(drafted_kind) + ".drop-draft",
               .object = object_of_template(name),
               .before = (*draft)->document,
               .after = (*draft)->base,
               .reason = note});
        return {};
    });
}

}  // namespace provisioner::operations
