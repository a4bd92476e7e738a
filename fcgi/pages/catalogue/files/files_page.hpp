#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "fcgi/http/params.hpp"
#include "provisioner/base/clock.hpp"
#include "provisioner/base/json.hpp"
#include "provisioner/base/problem.hpp"
#include "provisioner/model/plugins/plugin_type.hpp"
#include "provisioner/operations/plugins/file_changes.hpp"
#include "provisioner/store/catalogue/cluster_use_store.hpp"
#include "provisioner/store/plugins/resource_store.hpp"

namespace fcgi::pages {

// Files of plugins, as administrators see them. Addresses have the words of the API:
// /catalogue/files/automatortypes/shell/scripts/web.sh.

/// "automatortypes" or "providertypes".
std::string plugins_word(provisioner::model::PluginKind kind);
std::optional<provisioner::model::PluginKind> plugin_kind(const std::string& word);

/// A shelf in the list of all.
struct ShelfRow {
    provisioner::store::ResourceShelf shelf{};
    std::string format{};
    std::size_t files = 0;
};

/// A change that waits for the next sync.
struct PendingRow {
    provisioner::operations::FileChange change{};
    /// Services whose actions name the file.
    std::vector<std::string> services{};
};

/// What a sync has done to a file, as the audit log tells.
struct SyncedFile {
    /// "shell/scripts/web.sh".
    std::string file{};
    /// Numbers of versions; 0: none.
    int before = 0;
    int after = 0;
};

/// All shelves and what waits for a sync: views/catalogue/files.
struct FilesPage {
    std::vector<ShelfRow> shelves{};
    std::vector<PendingRow> pending{};
    /// What the sync takes from services in use (words_on_sync), to be read first.
    std::vector<std::string> to_check{};
    /// Whether it was not synced because that was not confirmed.
    bool is_asked = false;
    /// What others changed since the page was made whose form was sent; it was not synced then.
    provisioner::base::Problems problems{};
    /// What the sync has done that leads here.
    std::vector<SyncedFile> synced{};
    bool may_change = true;
    std::string done{};
};

/// The files of a shelf: views/catalogue/shelf.
struct ShelfPage {
    provisioner::store::ResourceShelf shelf{};
    std::string format{};
    /// Of files of providers nothing is shown but size and time.
    bool is_secret = false;
    /// By name and version.
    std::vector<provisioner::store::ResourceVersion> versions{};
    /// Services whose actions name a file, by the file's name.
    std::map<std::string, std::vector<std::string>> services{};
    std::size_t pending = 0;
    bool may_change = true;
    std::string done{};
    provisioner::base::Timestamp now{};
    /// Whether `problems` and `typed_name` are of the form of an upload, not of the text.
    bool is_upload = false;
    /// Whether a version of a file is edited: the page has its text alone.
    bool is_editing = false;
    /// That version; 0 if it is not known.
    int edited_version = 0;
    /// Who uploaded the newest version of that file, as far as the audit log tells.
    std::string newest_by{};
    /// Of a form that was refused, or of the version that is edited.
    std::string typed_name{};
    std::string typed_text{};
    /// Why, for the audit log.
    std::string note{};
    /// Whether lines of the edited version end with CR LF, and do so when it is saved.
    bool has_crlf = false;
    provisioner::base::Problems problems{};
};

/// Who uploaded a version, and why, as far as the audit log tells.
struct UploadFacts {
    std::string by{};
    std::string note{};
};

/// Longest file that is sent to be kept on the reader's computer: it is held in memory.
constexpr std::uint64_t largest_download = 4 * http::file_form_limit;

/// Longest file that is shown or edited, and longest one that is compared, in bytes.
constexpr std::uint64_t longest_shown = 256ULL * 1024;
constexpr std::uint64_t longest_compared = 4ULL * 1024 * 1024;

/// One file: views/catalogue/file.
struct FilePage {
    provisioner::store::ResourceShelf shelf{};
    std::string name{};
    bool is_secret = false;
    /// At least one.
    std::vector<provisioner::store::ResourceVersion> versions{};
    /// By the number of the version.
    std::map<int, UploadFacts> uploads{};
    /// What the next sync does to it that concerns services in use (words_on_sync).
    std::vector<std::string> effects{};
    std::vector<std::string> services{};
    /// Clusters that have one of the services.
    std::vector<provisioner::store::ClusterOfService> clusters{};
    /// Whether the viewer may configure clusters.
    bool may_operate = true;
    std::size_t pending = 0;
    /// The version that is shown.
    int version = 0;
    /// Its text; nothing if it is none, with the reason in `no_text`.
    std::optional<std::string> text{};
    std::string no_text{};
    /// The version it is compared with; 0: with none.
    int compared = 0;
    /// The version that it was to be compared with and cannot, because that is no text or too
    /// large; 0: none.
    int not_compared = 0;
    /// The texts of that version and of `version`.
    std::string compared_text{};
    std::string text_compared{};
    /// The version that was just uploaded from a page that did not show the one before it, which is
    /// `overtaken_by`; 0: none was. `known` is the newest that the page showed; 0: none, as in the
    /// list of files.
    int overtaken = 0;
    int overtaken_by = 0;
    int known = 0;
    bool may_change = true;
    std::string done{};
    provisioner::base::Timestamp now{};
    provisioner::base::Problems problems{};
};

provisioner::base::Json to_json(const FilesPage& page);
provisioner::base::Json to_json(const ShelfPage& page);
provisioner::base::Json to_json(const FilePage& page);

/// Titles: "Scripts of automator shell" or "Edit web.sh, version 2", which are headings, too, and
/// "web.sh, scripts of automator shell".
std::string title_of(const ShelfPage& page);
std::string title_of(const FilePage& page);

/// The newest version that was saved after version `known` and before version `saved`; 0 without
/// one.
int version_between(const std::vector<provisioner::store::ResourceVersion>& versions, int known,
                    int saved);

/// What a form of the page has done ("stage"), with the versions that are in use now and later;
/// empty where these add nothing.
std::string words_on_done(const FilePage& page, const std::string& done);

/// The page that edits a version of a file: the shelf's, with the text alone.
std::string editing_page(const provisioner::store::ResourceShelf& shelf, const std::string& name,
                         int version);

/// The newest version of a file on a shelf; null if there is none. Borrows from the page.
const provisioner::store::ResourceVersion* newest_version(const ShelfPage& page,
                                                          const std::string& name);

/// Whether a version of a file is newer than all that the form of a text knew of: `known` is the
/// newest of those, or 0 if the form does not say it.
bool has_newer_version(const ShelfPage& page, const std::string& name, int known);

/// The page of a shelf, and of a file on it.
std::string shelf_page(const provisioner::store::ResourceShelf& shelf);
std::string file_page(const provisioner::store::ResourceShelf& shelf, const std::string& name);

/// The services, in wire form, of which an action of this automator names the file: a word of a
/// field is its name or a path that ends with it.
std::vector<std::string> services_with_file(const std::vector<provisioner::base::Json>& services,
                                            const std::string& automator, const std::string& file);

/// Whether every line end is CR LF, and there is one.
bool ends_lines_with_crlf(const std::string& text);

/// A text as a browser sends it (with CR LF) in the form in which it is stored: lines end with LF,
/// or with CR LF if `has_crlf`, and so does the last one, as shells and other tools expect. An
/// empty text stays empty.
std::string text_to_save(std::string typed, bool has_crlf);

/// Whether bytes are text that a page can show: UTF-8 without control characters.
bool is_text(const std::string& bytes);

}  // namespace fcgi::pages
