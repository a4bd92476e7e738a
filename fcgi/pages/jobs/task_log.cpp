#include "fcgi/pages/jobs/task_log.hpp"

#include <algorithm>

#include "fcgi/pages/words.hpp"
#include "provisioner/messages/translated.hpp"

namespace fcgi::pages {

using provisioner::messages::translated;

namespace {

LogKind kind_of_stream(const std::string& stream) {
    if (stream == "err") return LogKind::err;
    return stream == "note" ? LogKind::note : LogKind::out;
}

std::string heading_of_attempt(int attempt) {
    return translated("Attempt {0}", attempt);
}

std::string in_lower_case(std::string text) {
    std::ranges::transform(text, text.begin(), [](char c) {
        return c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c;
    });
    return text;
}

}  // namespace

std::string LogLine::text() const {
    std::string all;
    for (const TerminalSpan& span : spans) all += span.text;
    return all;
}

void TaskLog::add(const provisioner::store::TranscriptPiece& piece) {
    if (piece.attempt != attempt_) {
        keep_all();
        // A style, or half a sequence, does not go on in the next attempt.
        streams_.clear();
        attempt_ = piece.attempt;
        if (heads_attempts_) mark(heading_of_attempt(attempt_));
    }
    if (piece.missing > 0) {
        keep_all();
        streams_.clear();
        mark(translated("{0} bytes of output are not kept", grouped(piece.missing)));
    }
    const LogKind kind = kind_of_stream(piece.stream);
    Stream& stream = stream_of(kind);
    for (const char byte : piece.body) {
        const bool ends = stream.line.take(byte);
        if (!ends && !stream.line.has_begun()) continue;
        begin(stream, kind);
        if (!ends) continue;
        keep(stream);
        stream.line.next();
        stream.at = none;
    }
    if (lines_.size() > 2 * most_lines_) {
        end_lines_before(lines_.size() - most_lines_);
        drop_before(lines_.size() - most_lines_);
    }
}

void TaskLog::end_lines_before(std::size_t at) {
    for (auto& [kind, stream] : streams_) {
        if (stream.at == none || stream.at >= at) continue;
        keep(stream);
        stream.line.next();
        stream.at = none;
    }
}

std::size_t TaskLog::first_open() const {
    std::size_t first = lines_.size();
    for (const auto& [kind, stream] : streams_) {
        if (stream.at != none) first = std::min(first, stream.at);
    }
    return first;
}

void TaskLog::drop_before(std::size_t at) {
    lines_.erase(lines_.begin(), lines_.begin() + static_cast<std::ptrdiff_t>(at));
    for (auto& [kind, stream] : streams_) {
        if (stream.at != none) stream.at -= at;
    }
}

std::string TaskLog::finished() {
    constexpr std::size_t most_behind_an_open_line = 10'000;
    if (lines_.size() > most_behind_an_open_line) {
        end_lines_before(lines_.size() - most_behind_an_open_line);
    }
    const std::size_t end = first_open();
    std::string text;
    for (std::size_t at = 0; at < end; ++at) text += text_of(lines_[at]);
    drop_before(end);
    return text;
}

std::vector<LogLine> TaskLog::lines() {
    keep_all();
    // The only attempt needs no heading.
    const bool has_heading = attempt_ <= 1 && !lines_.empty() &&
                             lines_.front().kind == LogKind::mark &&
                             lines_.front().text() == heading_of_attempt(attempt_);
    if (has_heading) lines_.erase(lines_.begin());
    return std::move(lines_);
}

void TaskLog::mark(const std::string& text) {
    lines_.push_back({.kind = LogKind::mark,
                      .number = numbered_ + 1,
                      .spans = {{.text = text, .style = {}}},
                      .cut = 0});
}

TaskLog::Stream& TaskLog::stream_of(LogKind kind) {
    const auto found = streams_.find(kind);
    if (found != streams_.end()) return found->second;
    return streams_.emplace(kind, Stream{.line = TerminalLine(longest_)}).first->second;
}

void TaskLog::begin(Stream& stream, LogKind kind) {
    if (stream.at != none) return;
    stream.at = lines_.size();
    lines_.push_back({.kind = kind, .number = ++numbered_, .spans = {}, .cut = 0});
}

void TaskLog::keep(Stream& stream) {
    lines_[stream.at].spans = stream.line.spans();
    lines_[stream.at].cut = stream.line.cut();
}

void TaskLog::keep_all() {
    for (auto& [kind, stream] : streams_) {
        if (stream.at != none) keep(stream);
    }
}

std::string text_of(const LogLine& line) {
    const bool is_mark = line.kind == LogKind::mark;
    std::string text = (is_mark ? "[" : "") + line.text() + (is_mark ? "]" : "");
    if (line.cut > 0) text += translated(" [{0} characters more]", grouped(line.cut));
    return text + '\n';
}

std::vector<int> lines_with(const std::vector<LogLine>& lines, const std::string& text) {
    std::vector<int> numbers;
    for (const LogLine& line : lines) {
        if (line.kind == LogKind::mark) continue;
        if (!places_of(line.text(), text).empty()) numbers.push_back(line.number);
    }
    return numbers;
}

std::vector<std::size_t> places_of(const std::string& line, const std::string& text) {
    std::vector<std::size_t> places;
    if (text.empty()) return places;
    const std::string all = in_lower_case(line);
    const std::string wanted = in_lower_case(text);
    for (auto at = all.find(wanted); at != std::string::npos;
         at = all.find(wanted, at + wanted.size())) {
        places.push_back(at);
    }
    return places;
}

}  // namespace fcgi::pages
