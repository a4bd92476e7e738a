#pragma once

#include <chrono>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "provisioner/base/clock.hpp"
#include "provisioner/base/json.hpp"
#include "provisioner/messages/translated.hpp"
#include "provisioner/model/action.hpp"
#include "provisioner/model/catalogue/cluster_template.hpp"

namespace fcgi::pages {

/// `at` in relation to `now`: "3 minutes ago", "in 5 days". Within 45 seconds it is "just now" or
/// "in a moment". Minutes below one hour, hours below 36 hours, then days; rounded.
///
/// The functions of this file write for people. They are pure and take `now` as a
/// parameter, so that tests compare text.
std::string relative(provisioner::base::Timestamp at, provisioner::base::Timestamp now);

/// A duration, truncated: "0.4 s" below a second, "42 s" below two minutes, "59 minutes" below one
/// hour, then two units: "1 hour 30 minutes", "1 day 6 hours". A second unit of zero is left out.
/// What took less than a tenth of a second took "< 0.1 s".
std::string spoken(std::chrono::milliseconds duration);

/// The data of a <time> element: {iso, absolute, relative}. `iso` is RFC 3339 with microseconds,
/// `absolute` is "2026-11-20 23:28:02 UTC".
provisioner::base::Json moment(provisioner::base::Timestamp at, provisioner::base::Timestamp now);

using provisioner::messages::grouped;

/// The number of machines a template allows: "1 to 20 machines", "4 machines", "2 machines or
/// more", "at most 2 machines".
std::string size_words(const provisioner::model::Constraints& constraints);

/// The initial lease of a template: "7 days", or "no end" for zero.
std::string lease_words(const provisioner::model::LeaseDuration& lease);

/// The data of a plan: {plan_sentence: "18 tasks in 7 stages, counted by action", has_tasks, tasks:
/// [{count, action}, ...]}. `counts` are tasks by action; an action without a task is left out of
/// the list.
provisioner::base::Json plan_json(
    const std::vector<std::pair<provisioner::model::Action, int>>& counts, std::size_t tasks,
    std::size_t stages);

/// The text with a capital letter at its beginning, if that is an ASCII letter.
std::string with_capital(std::string text);

/// The text in one line of at most `limit` bytes, "…" for what is left out. `text` must be valid
/// UTF-8.
std::string one_line(const std::string& text, std::size_t limit);

/// Most bytes of a description where others stand beside it, in lists and above tabs.
constexpr std::size_t description_in_lists = 120;

/// "a, b and c"; empty for no names.
std::string listed(const std::vector<std::string>& names);
/// The first `most` of them: "a, b, c and 182 more".
std::string listed(std::vector<std::string> names, std::size_t most);

/// Two sentences, either of which may be empty. The first gets a full stop if it ends without any
/// mark, as tips of plugins do.
std::string joined_sentences(const std::string& text, const std::string& next);

/// "This machine (local)", for choices; the name alone where it has no other label.
std::string label_and_name(const std::string& label, const std::string& name);

/// Entries of the catalogue, in wire form, as (name, label_and_name).
std::vector<std::pair<std::string, std::string>> entry_choices(
    const std::vector<provisioner::base::Json>& entries);

/// The label of an entry, or its name if it has no label.
std::string title_of(const provisioner::model::EntityHeader& header);

}  // namespace fcgi::pages
