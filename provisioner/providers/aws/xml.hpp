#pragma once

#include <string>

#include "provisioner/http_client/message.hpp"

namespace pugi {
class xml_node;
class xml_document;
}  // namespace pugi

namespace provisioner::providers::aws {

/// The text of a child; "" when there is none. `node` may be empty.
std::string text_in(const pugi::xml_node& node, const char* child);

/// Reads the document of an answer into `document` and returns its root. Throws cloud::Lost when
/// the text is no XML, because it was cut off, or no answer of the API: a proxy's page. `document`
/// must outlive the result.
pugi::xml_node root_of(const http_client::Reply& reply, pugi::xml_document& document);

}  // namespace provisioner::providers::aws
