#pragma once

#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "provisioner/base/json.hpp"
#include "provisioner/messages/messages.hpp"

namespace fcgi::views {

/// Name of a view -> its Mustache text. A name is the path below the folder without its ending:
/// "clusters/show", "partials/_nav", "layout".
using ViewTexts = std::map<std::string, std::string>;

/// Reads every .mustache file under `folder`, recursively. Throws std::runtime_error if a file
/// cannot be read, or if there is no view at all.
ViewTexts load_views(const std::string& folder);

/// The whole Mustache text of a page: the layout with `name` as its content, every {{> partial}}
/// replaced by its text, and indentation removed. Throws std::runtime_error for a view that does
/// not exist and for partials that include each other.
std::string page_text(const ViewTexts& views, const std::string& name);

/// Reads every catalogue of messages, "messages/*.po" under `folder`. Throws std::runtime_error
/// that names the file if one cannot be read, and if two are of one language.
std::vector<provisioner::messages::Messages> load_messages(const std::string& folder);

/// The texts of all views for translators: English text -> "views/<name>.mustache" of the first
/// view that has it.
std::map<std::string, std::string> texts_for_translators(const ViewTexts& views);

/// Draws pages: JSON in, HTML out. It is the only user of the Mustache library.
///
/// A parsed template is not safe to share, because drawing changes it. Each drawing therefore
/// borrows one from a list per page and gives it back. If the list is empty, it parses a new one. A
/// page so has at most as many parsed templates as it ever had drawings at the same time. Safe to
/// use from any thread.
class Renderer {
 public:
    /// Parses every page: each view but "layout" and those whose last part begins with an
    /// underscore. Each is kept in English and in the languages of `translations`. Throws
    /// std::runtime_error that names the page or view with an error. Does not keep `views`.
    explicit Renderer(const ViewTexts& views,
                      std::vector<provisioner::messages::Messages> translations = {});
    ~Renderer();

    /// The page as HTML, with every value escaped. A section counts false, null, "" and [] as no. A
    /// name that an object does not have is looked up in the objects around it. In the language of
    /// this thread's reader (provisioner/messages/reader.hpp). Throws std::logic_error for a page
    /// that does not exist.
    std::string render(const std::string& name, const provisioner::base::Json& data) const;

    /// Whether there is any page to draw.
    bool has_pages() const { return !english_.empty(); }

    /// The language for a browser with this Accept-Language header; null for English. Valid as long
    /// as this object.
    const provisioner::messages::Messages* wanted(std::string_view accept_language) const;

 private:
    /// Text of one page with its idle parsed templates and their lock.
    struct Page;
    using Pages = std::map<std::string, std::unique_ptr<Page>>;

    static Pages parsed(const ViewTexts& views);

    const std::vector<provisioner::messages::Messages> translations_;
    Pages english_;
    /// By language.
    std::map<std::string, Pages> translated_;
};

}  // namespace fcgi::views
