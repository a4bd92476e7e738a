#pragma once

#include <string>
#include <utility>
#include <vector>

#include "fcgi/http/message.hpp"
#include "provisioner/base/json.hpp"

namespace fcgi::pages {

// What chooses the entries that a list shows. Pure.

/// Whether `text` has `searched` in it; capital and small letters are the same.
bool has_text(const std::string& text, const std::string& searched);

/// The path with the parameters that have a value: "/clusters?tenants=all&q=a%20b". Values are
/// encoded here.
std::string address_with(const std::string& path,
                         const std::vector<std::pair<std::string, std::string>>& parameters);

/// {label, href, current}; `current`: the list shows this now.
provisioner::base::Json filter_link(const std::string& label, const std::string& href,
                                    bool current);

/// What a page says of a value in its address that it does not know: `Unknown status “bogus”;
/// showing all.` `what` names the parameter, `instead` what is done without it. Goes into
/// Frame::notes.
std::string unknown_value(const std::string& what, const std::string& value,
                          const std::string& instead);

/// Empties the value of a filter that the page does not know, and names it in `notes`. An empty one
/// is nothing unknown.
void forget_unknown(std::string& value, const std::string& what, std::vector<std::string>& notes);

/// The links between what is of the viewer's tenant and what is of all tenants.
provisioner::base::Json scope_links(const std::string& tenant, const std::string& of_tenant,
                                    const std::string& of_all, bool is_of_all);

/// How the heading of a column orders a list: `word` is what its link asks for first, `then` the
/// second time. `is_descending`: whether large values come first by the first one.
struct ColumnOrder {
    std::string word{};
    std::string then{};
    bool is_descending = false;
};

/// {sort_href, sort_label, direction, arrow} for a list that is in `order`, with the parameters of
/// its address, "order" among them.
provisioner::base::Json sorted_column_json(
    const std::string& label, const std::string& order, const ColumnOrder& column,
    const std::string& path, std::vector<std::pair<std::string, std::string>> parameters);

/// Which entries of a long list a page shows, and how its links name the other pages.
struct Portion {
    /// Entries of the whole list.
    std::size_t total = 0;
    std::size_t per_page = 0;
    /// From 1; at most as many as there are.
    std::size_t page = 1;

    std::size_t begin() const { return (page - 1) * per_page; }
    std::size_t end() const;
    std::size_t pages() const;
};

/// A page that is not there is the last one.
Portion portion_of(std::size_t total, std::size_t per_page, std::size_t page);

/// The number in the query; 1 if there is none, or none that a page has.
std::size_t page_in(const http::Request& request, std::string_view name = "page");

/// How the links to the pages of a list are made.
struct PagesOf {
    std::string path{};
    /// Those of the list without its page.
    std::vector<std::pair<std::string, std::string>> parameters{};
    /// The parameter that is the page.
    std::string name = "page";
    /// Ends the links: "#list".
    std::string anchor{};
    /// Of several lists on a page each has one.
    std::string label{};
};

/// For views/partials/_pager: {pages_label, words, at, first, previous, next, last, jump}, links
/// empty where there is no such page. `at` is "Page 3 of 20"; `jump` is the form that asks for a
/// page by its number, null where the links lead to every page. Null if all is on one page. `words`
/// say which entries the page has.
provisioner::base::Json pager_json(std::size_t page, std::size_t pages, const std::string& words,
                                   const PagesOf& of);

/// The same for a list whose pages are of one size.
provisioner::base::Json pager_json(
    const Portion& portion, const std::string& path,
    const std::vector<std::pair<std::string, std::string>>& parameters,
    const std::string& name = "page", const std::string& anchor = "",
    const std::string& label = "");

}  // namespace fcgi::pages
