#pragma once

#include "fcgi/http/message.hpp"
#include "fcgi/pages/clusters/tabs/cluster_page.hpp"

namespace fcgi::pages {

/// Which machines the tab Machines lists.
struct MachineQuery {
    /// A word of LookWords ("failed"); empty: all.
    std::string state{};
    /// Part of host name, address, or of name or label of hardware type or a service, whatever the
    /// case; empty: all.
    std::string text{};
    /// services_word() of the machines; empty: all.
    std::string services{};
    /// "machine" or "services": what the state is about; else all of the machine.
    std::string part{};
    /// From 1. A page that is not there shows the last one.
    int page = 1;
};

/// The query of an address. A state or part that does not exist is left out, and what is wrong adds
/// a sentence to `notes`.
MachineQuery machine_query_in(const http::Request& request, std::vector<std::string>& notes);

/// What machines have in common that run the same services: the sorted names, joined by commas;
/// "-" for none, which cannot be a name.
std::string services_word(std::vector<std::string> services);
/// The names in such a word.
std::vector<std::string> services_in_word(const std::string& word);
/// The same for people: "HAProxy and nginx", or "no services".
std::string said_services(const std::string& word, const Labels& labels);

/// The part that MachineQuery names so.
MachinePart part_of(const std::string& word);

/// Machines on one page of the list.
constexpr int machines_on_a_page = 50;

/// The tab Machines, views/clusters/tabs/machines: those that match, failed and lost ones first,
/// then those at work, then by number.
provisioner::base::Json machines_json(const ClusterPage& page, const MachineQuery& query);

/// One machine, views/clusters/tabs/machine: the first of page.machines and of page.nodes, with the
/// tasks of the latest job on it and what they printed.
provisioner::base::Json machine_json(const ClusterPage& page);

/// Whether the task runs or has failed. Only such tasks are shown with output.
bool is_news(const provisioner::model::Task& task);

}  // namespace fcgi::pages
