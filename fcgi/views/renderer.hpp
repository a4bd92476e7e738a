#pragma once

#include <map>
#include <memory>
#include <string>

#include "provisioner/base/json.hpp"

namespace fcgi::views {

/// Name of a view -> its Mustache text: "clusters/show", "partials/_nav", "layout".
using ViewTexts = std::map<std::string, std::string>;

/// Reads every .mustache file under `folder`; throws std::runtime_error naming it when there is
/// none.
ViewTexts load_views(const std::string& folder);

/// The whole text of a page: the layout with `name` as its content and every {{> partial}} replaced
/// by its text, without indentation. Throws std::runtime_error for a name that is not there and for
/// partials that include each other.
std::string page_text(const ViewTexts& views, const std::string& name);

/// Draws pages. Safe to use from any thread: a parsed template is not (drawing changes it), so each
/// drawing borrows one of its own and gives it back; there are never more than drew at the same
/// time.
class Renderer {
 public:
    /// Parses every page (names without a leading underscore, except "layout"); throws
    /// std::runtime_error naming the page that is wrong.
    explicit Renderer(const ViewTexts& views);
    ~Renderer();

    /// The page as HTML, every value escaped. In sections false, null, "" and [] count as no;
    /// values inherit from the objects around them. Throws std::logic_error for a page that is not
    /// there.
    std::string render(const std::string& name, const provisioner::base::Json& data) const;

 private:
    struct Page;
    std::map<std::string, std::unique_ptr<Page>> pages_;
};

}  // namespace fcgi::views
