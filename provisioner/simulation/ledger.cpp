#include "provisioner/simulation/ledger.hpp"

#include <algorithm>
#include <stdexcept>

#include "provisioner/simulation/action_script.hpp"
#include "provisioner/simulation/chance.hpp"

namespace provisioner::simulation {

namespace {

using base::Json;
using base::Timestamp;
using std::chrono::microseconds;
using std::chrono::milliseconds;

Json record_at(Timestamp now, const char* kind) {
    return {{"at", now.time_since_epoch().count()}, {"is", kind}};
}

Timestamp time_of(const Json& record) {
    return Timestamp{microseconds{record.at("at").get<std::int64_t>()}};
}

milliseconds time_in(const Json& record, const char* key) {
    return milliseconds{record.at(key).get<std::int64_t>()};
}

MadeMachine machine_in(const Json& record) {
    const auto behaviour = behaviour_from(record.at("fields"));
    if (!behaviour) throw std::runtime_error(base::to_text(behaviour.error()));
    return {.made_at = time_of(record),
            .boot = time_in(record, "boot_ms"),
            .hostname = record.at("hostname").get<std::string>(),
            .task = record.value("task", 0LL),
            .behaviour = *behaviour};
}

StepCourse course_in(const Json& record) {
    return {.label = record.at("label").get<std::string>(),
            .takes = time_in(record, "takes_ms"),
            .hangs = record.at("hangs").get<bool>(),
            .limit = time_in(record, "limit_ms"),
            .exit_code = record.at("exit").get<int>(),
            .lines = record.at("lines").get<int>()};
}

bool expires(const StepCourse& course) {
    return course.hangs || course.takes >= course.limit;
}

/// When the step would end without a stop.
Timestamp own_end_of(const BegunStep& step) {
    return step.began_at + (expires(step.course) ? step.course.limit : step.course.takes);
}

}  // namespace

StepCourse course_of(const Behaviour& behaviour, const std::string& machine, const std::string& key,
                     const remote::Run& run) {
    const auto draw = [&](const char* what) {
        return chance(behaviour.seed, what, machine + "/" + key);
    };
    const SimulatedAction wish = action_in(run.script).value_or(SimulatedAction{});
    const milliseconds own_time =
        spread_around(behaviour.step, behaviour.step_spread, draw("step time"));
    StepCourse course{.label = run.label,
                      .takes = wish.duration.value_or(own_time),
                      .hangs = happens(behaviour.hung_percent, draw("hung step")),
                      .limit = run.limit,
                      .exit_code = 0,
                      .lines = wish.lines.value_or(behaviour.lines)};
    if (happens(behaviour.failing_percent, draw("failing step"))) course.exit_code = 1;
    if (happens(wish.fail_percent, draw("failing action"))) course.exit_code = wish.exit_code;
    return course;
}

Timestamp end_of(const BegunStep& step) {
    return step.stopped_at.value_or(own_end_of(step));
}

int lines_by(const BegunStep& step, Timestamp now) {
    const Timestamp end = own_end_of(step);
    if (step.stopped_at) now = std::min(now, *step.stopped_at);
    const bool never_began = step.stopped_at && *step.stopped_at <= step.began_at;
    if (never_began) return 0;
    if (now >= end) return step.course.lines;
    const double part = static_cast<double>((now - step.began_at).count()) /
                        static_cast<double>((end - step.began_at).count());
    return std::clamp(static_cast<int>(part * (step.course.lines + 1)), 0, step.course.lines);
}

std::string ending_of(const BegunStep& step) {
    if (step.stopped_at) return "stopped";
    return expires(step.course) ? "expired" : "exit " + std::to_string(step.course.exit_code);
}

void Ledger::read(std::string_view text) {
    rest_ += text;
    std::size_t from = 0;
    for (std::size_t end = rest_.find('\n'); end != std::string::npos;
         end = rest_.find('\n', from)) {
        const std::string_view line = std::string_view(rest_).substr(from, end - from);
        from = end + 1;
        try {
            take_in(Json::parse(line));
        } catch (const Json::exception&) {
            throw std::runtime_error("not a record of a simulated machine: " + std::string(line));
        }
    }
    rest_.erase(0, from);
}

const BegunStep* Ledger::step(std::string_view key) const {
    const auto found = steps_.find(key);
    return found == steps_.end() ? nullptr : &found->second;
}

void Ledger::take_in(const Json& record) {
    const std::string kind = record.at("is").get<std::string>();
    if (kind == "made" && !machine_) machine_ = machine_in(record);
    if (kind == "refused") ++refusals_;
    if (kind != "begun" && kind != "joined" && kind != "stopped") return;
    const std::string key = record.at("step").get<std::string>();
    if (kind == "stopped") return stop(key, record);
    if (kind == "begun" && !steps_.contains(key)) begin(key, record);
    const auto step = steps_.find(key);
    // A session that knew an earlier machine of this name may join one of its steps.
    if (step == steps_.end()) return;
    ++step->second.asked;
    step->second.fence = std::max(step->second.fence, record.at("fence").get<long long>());
}

void Ledger::begin(const std::string& key, const Json& record) {
    steps_[key] = {
        .course = course_in(record), .began_at = time_of(record), .fence = 0, .asked = 0};
    if (never_to_begin_.contains(key)) steps_[key].stopped_at = time_of(record);
}

void Ledger::stop(const std::string& key, const Json& record) {
    const auto found = steps_.find(key);
    if (found == steps_.end()) {
        never_to_begin_.insert(key);
        return;
    }
    BegunStep& step = found->second;
    const Timestamp at = time_of(record);
    const bool is_older = record.at("fence").get<long long>() < step.fence;
    if (!is_older && at < end_of(step)) step.stopped_at = at;
}

Json made_record(Timestamp now, const std::string& hostname, milliseconds boot, const Json& fields,
                 long long task) {
    Json record = record_at(now, "made");
    record["hostname"] = hostname;
    record["task"] = task;
    record["boot_ms"] = boot.count();
    record["fields"] = behaviour_part_of(fields);
    return record;
}

Json refused_record(Timestamp now) {
    return record_at(now, "refused");
}

Json begun_record(Timestamp now, const remote::StepKey& key, const StepCourse& course) {
    Json record = record_at(now, "begun");
    record["step"] = key.name;
    record["fence"] = key.fence;
    record["label"] = course.label;
    record["takes_ms"] = course.takes.count();
    record["hangs"] = course.hangs;
    record["limit_ms"] = course.limit.count();
    record["exit"] = course.exit_code;
    record["lines"] = course.lines;
    return record;
}

Json joined_record(Timestamp now, const remote::StepKey& key) {
    Json record = record_at(now, "joined");
    record["step"] = key.name;
    record["fence"] = key.fence;
    return record;
}

Json stopped_record(Timestamp now, const remote::StepKey& key) {
    Json record = record_at(now, "stopped");
    record["step"] = key.name;
    record["fence"] = key.fence;
    return record;
}

Json gone_record(Timestamp now) {
    return record_at(now, "gone");
}

}  // namespace provisioner::simulation
