#pragma once

#include <map>
#include <string>
#include <vector>

#include "fcgi/http/form_data.hpp"
#include "provisioner/base/problem.hpp"
#include "provisioner/model/catalogue/cluster_template.hpp"
#include "provisioner/model/clusters/cluster.hpp"
#include "provisioner/operations/clusters/create.hpp"

namespace fcgi::pages {

/// The controls of the form of a new cluster as text. A wrong form is shown again with everything
/// that was typed. The controls have the names of the API's members ("numMachines", "imagetype"),
/// so a Problem of the operation finds its control.
///
/// Blanks around a text are dropped, except in provider fields. An empty text means that the
/// control was left empty.
struct ClusterForm {
    /// Controls with one value each, in the order of the API's members.
    std::string name{};
    std::string cluster_template{};
    std::string machines{};
    std::string description{};
    std::string provider{};
    std::string hardware_type{};
    std::string image_type{};
    std::string dns_suffix{};
    /// A password of the cluster or template that the form was drawn from is the mask.
    std::string config{};
    /// Whether the draft of a change to the template is tried: the control "ofDraft" names the
    /// template for which it was drawn.
    bool of_draft = false;
    /// The cluster whose passwords the masks stand for; empty: they stand for the template's.
    std::string like{};
    /// The ticked services, in the order of the form.
    std::vector<std::string> services{};
    /// The lease in three parts. All empty: the template's lease. All zero: for ever.
    std::string lease_days{};
    std::string lease_hours{};
    std::string lease_minutes{};
    /// Name of the provider type's field -> text, for controls "providerFields.<name>". May hold
    /// secrets.
    std::map<std::string, std::string> provider_fields{};
};

/// The form with the defaults of the template; the number of machines is the smallest allowed. The
/// name is empty.
ClusterForm form_for(const provisioner::model::ClusterTemplate& cluster_template);

/// Whether a value of the advanced part is another than that of form_for(). Values of provider
/// fields do not count.
bool is_changed_in_advanced(const ClusterForm& form,
                            const provisioner::model::ClusterTemplate& cluster_template);

/// Whether services, provider, hardware and image are the template's, so that it has the layouts of
/// the template's own clusters.
bool has_own_machines(const ClusterForm& form,
                      const provisioner::model::ClusterTemplate& cluster_template);

/// The form with what `cluster` was made of, by the present version of its template. The number of
/// machines is moved into the template's range, and a lease that is longer than the template's is
/// that. Hardware and image are the template's. Values of the configuration that sound secret are
/// masked.
ClusterForm form_like(const provisioner::model::Cluster& cluster,
                      const provisioner::model::ClusterTemplate& cluster_template);

/// What a form_like() does not have from its cluster: a sentence by the name of the control.
std::map<std::string, std::string> words_not_copied(
    const provisioner::model::Cluster& cluster,
    const provisioner::model::ClusterTemplate& cluster_template);

/// The form as sent. Every form is accepted; controls that were not sent are empty. The same
/// function reads the form of new.mustache and the hidden fields of preview.mustache.
ClusterForm read_cluster_form(const http::FormData& sent);

/// The form after the user chose another template. Name and description stay; the number of
/// machines is moved into the range of the new template. Everything else becomes the template's
/// default.
ClusterForm switched(const ClusterForm& form,
                     const provisioner::model::ClusterTemplate& cluster_template);

/// A configuration as typed. Null for an empty text. For anything but a JSON object, and for
/// macros that can never be expanded, it adds a Problem of "config" and returns null.
provisioner::base::Json read_config(const std::string& text, provisioner::base::Problems& problems);

/// The form as a request to the operation. Empty texts become absent members. What cannot be
/// converted adds a Problem that names its control, and is left out; the operation checks the rest.
provisioner::operations::CreateCluster wanted(const ClusterForm& form,
                                              provisioner::base::Problems& problems);

}  // namespace fcgi::pages
