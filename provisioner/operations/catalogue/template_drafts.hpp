#pragma once

#include <string>

#include "provisioner/base/clock.hpp"
#include "provisioner/base/merge.hpp"
#include "provisioner/model/catalogue/template_draft.hpp"
#include "provisioner/model/catalogue/version.hpp"
#include "provisioner/model/tenants/tenant.hpp"
#include "provisioner/operations/refusal.hpp"
#include "provisioner/store/database/database.hpp"

namespace provisioner::operations {

// The draft of a change to a cluster template (model::TemplateDraft): administrators keep and try
// it, and put it to use or throw it away. Nobody else sees it. It ends with its template.

/// A draft to keep.
struct DraftToKeep {
    /// What the template would be, in wire form.
    base::Json document{};
    /// The version of the template that a new draft was begun from.
    model::SeenVersion version{};
    /// The number of the draft that the person has seen; 0: there was none.
    long long number = 0;
    /// Why; added to what the draft says already.
    std::string note{};
};

/// Keeps the draft of the template `name`: a new one, or the next save of the one that was seen.
/// Refused as edit.hpp says for the template by itself; with not_found without the template; as a
/// conflict of the field "draft" if there is another draft than was seen, and of "version" if what
/// a new one was begun from is gone, or was deleted and created anew.
Result<void> keep_template_draft(store::Database& database, const model::Caller& caller,
                                 const std::string& name, const DraftToKeep& kept,
                                 base::Timestamp now);

/// The same in a transaction of the caller, who has locked the tenant.
Result<void> keep_template_draft(store::Connection& connection, const model::Caller& caller,
                                 const std::string& name, const DraftToKeep& kept,
                                 base::Timestamp now);

/// What the template would be: the draft with what was changed in the template since it was begun.
/// `in_force` is the template in wire form. Pure.
base::Merged merged_with(const model::TemplateDraft& draft, base::Json in_force,
                         const base::KeepsOurs& keeps_ours = {});

/// Both reasons, each once: "smaller; later". If that is too long, the newer one. Pure.
std::string with_reason(const std::string& before, const std::string& added);

/// A draft to put to use.
struct DraftToUse {
    /// merged_with() of the draft, and the version of the template, that the person has seen.
    base::Json document{};
    long long number = 0;
    int version = 0;
    std::string note{};
};

/// Writes the draft as the next version of its template and ends it. Returns the version in force;
/// a draft that changes nothing leaves that as it is. Refused as replace_entry says, and as a
/// conflict of the field "draft" if there is another draft than was seen, or none.
Result<int> use_template_draft(store::Database& database, const model::Caller& caller,
                               const std::string& name, const DraftToUse& used,
                               base::Timestamp now);

/// Ends the draft with this number; refused likewise. `note` says why.
Result<void> drop_template_draft(store::Database& database, const model::Caller& caller,
                                 const std::string& name, long long number,
                                 const std::string& note);

}  // namespace provisioner::operations
