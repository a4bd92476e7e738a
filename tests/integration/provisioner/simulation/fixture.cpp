#include "tests/integration/provisioner/simulation/fixture.hpp"

#include <filesystem>
#include <set>

#include "provisioner/base/ids.hpp"

namespace tests::integration {

namespace fs = std::filesystem;
using namespace provisioner;

SimulationFixture::SimulationFixture()
    : folder(fs::temp_directory_path() / ("simulation-" + base::random_hex(6))),
      ledgers(folder),
      provider(ledgers, clock) {}

SimulationFixture::~SimulationFixture() {
    fs::remove_all(folder);
}

model::Account SimulationFixture::account(base::Json fields) {
    model::Account account;
    if (!fields.is_null()) account.fields = std::move(fields);
    return account;
}

providers::MachineSpec SimulationFixture::spec() {
    providers::MachineSpec spec;
    spec.name = "00000001-1000";
    spec.cluster = "00000001";
    spec.hostname = "web.local";
    return spec;
}

std::shared_ptr<remote::Session> SimulationFixture::connect(const base::Clock& with) {
    const auto connector = simulation::make_simulated_connector(ledgers, with);
    remote::Endpoint endpoint;
    endpoint.address = "198.18.0.1";
    endpoint.host_key = "simulated 00000001-1000";
    return await(connector->connect(endpoint, std::chrono::seconds(1)));
}

Heard SimulationFixture::run(remote::Session& session, remote::StepKey key, std::string script) {
    Heard heard;
    const remote::OutputSink sink = [&heard](remote::Stream stream, std::string_view piece) {
        (stream == remote::Stream::out ? heard.out : heard.err) += piece;
    };
    const remote::Run step{.label = "start x", .script = std::move(script)};
    heard.result = await(session.run(step, key, sink));
    return heard;
}

std::string SimulationFixture::files_in(const std::string& name) const {
    std::set<std::string> names;
    if (fs::exists(folder + "/" + name)) {
        for (const auto& entry : fs::directory_iterator(folder + "/" + name)) {
            names.insert(entry.path().filename());
        }
    }
    std::string text;
    for (const std::string& file : names) text += (text.empty() ? "" : " ") + file;
    return text;
}

}  // namespace tests::integration
