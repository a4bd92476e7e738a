#include "provisioner/providers/aws/xml.hpp"

#include <pugixml.hpp>
#include <string_view>

#include "provisioner/providers/cloud/failures.hpp"

namespace provisioner::providers::aws {

std::string text_in(const pugi::xml_node& node, const char* child) {
    return node.child(child).text().get();
}

pugi::xml_node root_of(const http_client::Reply& reply, pugi::xml_document& document) {
    const auto read = document.load_buffer(reply.body.data(), reply.body.size());
    if (!read) {
        throw cloud::Lost("the answer of AWS is no XML (" + cloud::form_of(reply) +
                          "): " + read.description());
    }
    const pugi::xml_node root = document.document_element();
    const std::string_view name = root.name();
    // "DescribeInstancesResponse"; a bare "Response" has errors. A proxy's page is no empty list.
    if (!name.ends_with("Response") || name == "Response") {
        throw cloud::Lost("the answer of AWS is another document than its API has");
    }
    return root;
}

}  // namespace provisioner::providers::aws
