#include "workbook/stream/report_stream.h"

#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <nlohmann/json.hpp>

#include "workbook/json/inspection_json.h"
#include "workbook/json/read_json.h"
#include "workbook/stream/archive.h"

namespace workbook {
namespace {

// Each message: its kind, the size of its content in 8 bytes, the content.
constexpr char message_about = 'a', message_item = 'i', message_progress = 'p', message_end = 'e';
constexpr std::size_t header_bytes = 1 + sizeof(std::uint64_t);

}  // namespace

// What each type consists of, for both directions. Found by the archives through the types' namespaces.

template <class A>
void fields(A& a, samples& s) {
  a(s.content());
}
template <class A>
void fields(A& a, samples::progression& p) {
  a(p.first, p.step, p.size);
}
template <class A>
void fields(A& a, axis& x) {
  a(x.label, x.unit, x.log, x.min, x.max, x.whole);
}
template <class A>
void fields(A& a, series& s) {
  a(s.name, s.x, s.y, s.spread, s.style);
}
template <class A>
void fields(A& a, reference_line& r) {
  a(r.at, r.label, r.vertical);
}
template <class A>
void fields(A& a, bars& b) {
  a(b.name, b.values, b.spread);
}
template <class A>
void fields(A& a, heading& h) {
  a(h.text);
}
template <class A>
void fields(A& a, paragraph& p) {
  a(p.text);
}
template <class A>
void fields(A& a, check& c) {
  a(c.name, c.passed, c.expected, c.got);
}
template <class A>
void fields(A& a, timed_statement& t) {
  a(t.name, t.time.run_seconds, t.time.loops, t.work.bytes, t.work.operations);
}
template <class A>
void fields(A& a, account_entry& e) {
  gs::ledger& l = e.account;
  a(e.name, l.copies_to_device, l.bytes_to_device, l.copies_to_host, l.bytes_to_host, l.copies_within_device,
    l.bytes_within_device, l.launches, l.allocations, l.allocated_bytes, l.synchronizations, l.loans, l.lent_bytes);
}
template <class A>
void fields(A& a, quantity& q) {
  a(q.value, q.unit);
}
template <class A>
void fields(A& a, cell& c) {
  a(c.value());
}
template <class A>
void fields(A& a, column& c) {
  a(c.name, c.unit, c.digits);
}
template <class A>
void fields(A& a, table& t) {
  a(t.title, t.columns, t.rows);
}
template <class A>
void fields(A& a, prediction& p) {
  a(p.name, p.question, p.unit);
}
template <class A>
void fields(A& a, tested_prediction& p) {
  a(p.asked, p.guess, p.measured);
}
// An inspection has a complete description of its own.
inline void fields(archive_writer& a, inspection_entry& e) {
  std::string text = inspection_json(e.result).dump(-1, ' ', false, nlohmann::ordered_json::error_handler_t::replace);
  a(text, e.all_lines);
}
inline void fields(archive_reader& a, inspection_entry& e) {
  std::string text;
  a(text, e.all_lines);
  e.result = read_inspection(read_json(text, "reading an inspection", "write it with this version of Gridstride"));
}
template <class A>
void fields(A& a, run_description& d) {
  a(d.lesson, d.name, d.title, d.device, d.target);
}
template <class A>
void fields(A& a, run_failure& f) {
  a(f.status, f.message);
}

}  // namespace workbook

namespace gs::inline GS_FLAVOUR {

template <class A>
void fields(A& a, index3& i) {
  a(i.x, i.y, i.z);
}
template <class A>
void fields(A& a, source_place& p) {
  a(p.file, p.line, p.column);
}
template <class A>
void fields(A& a, lane_access& l) {
  a(l.lane, l.address);
}
template <class A>
void fields(A& a, warp_request& r) {
  a(r.space, r.kind, r.bytes, r.lanes);
}
template <class A>
void fields(A& a, warp_picture& p) {
  a(p.kernel, p.where, p.array, p.made, p.block, p.warp, p.extents, p.element_bytes, p.requests);
}

}  // namespace gs::inline GS_FLAVOUR

namespace workbook {

report_sender::report_sender(report& r, int descriptor) : report_(r), descriptor_(descriptor) {
  r.on_progress = [this](double fraction, std::string_view text) {
    archive_writer a;
    std::string doing(text);
    a(fraction, doing);
    send(message_progress, a.bytes());
  };
  r.on_item = [this](const item&) { send_until(report_.items().size() - 1); };
}

report_sender::~report_sender() {
  report_.on_progress = nullptr;
  report_.on_item = nullptr;
}

void report_sender::send_until(std::size_t count) {
  if (sent_.empty()) {
    archive_writer a;
    a(report_.about);
    send(message_about, a.bytes());
  }
  for (std::size_t k = 0; k < count; ++k) {
    // The archive only reads what it writes.
    auto& entry = const_cast<item&>(report_.items()[k]);
    const auto* t = std::get_if<table>(&entry);
    const std::size_t rows = t != nullptr ? t->rows.size() : 0;
    if (k < sent_.size() && sent_[k] == rows) continue;
    archive_writer a;
    a(k, entry);
    send(message_item, a.bytes());
    if (k < sent_.size())
      sent_[k] = rows;
    else
      sent_.push_back(rows);
  }
}

void report_sender::end(const std::optional<run_failure>& failure) {
  send_until(report_.items().size());
  archive_writer a;
  std::optional<run_failure> copy = failure;
  a(copy);
  send(message_end, a.bytes());
}

void report_sender::send(char kind, std::string_view content) {
  std::string message(1, kind);
  const auto size = static_cast<std::uint64_t>(content.size());
  message.append(reinterpret_cast<const char*>(&size), sizeof size);
  for (std::string_view left : {std::string_view(message), content})
    while (!left.empty()) {
      const ssize_t written = ::write(descriptor_, left.data(), left.size());
      if (written < 0 && errno == EINTR) continue;
      if (written < 0)
        throw gs::machine_error("sending the report", std::strerror(errno), "show it by the program that asked for it");
      left.remove_prefix(static_cast<std::size_t>(written));
    }
}

void report_receiver::take(std::string_view bytes) {
  pending_.append(bytes);
  std::string_view left = pending_;
  while (left.size() >= header_bytes) {
    std::uint64_t size = 0;
    std::memcpy(&size, left.data() + 1, sizeof size);
    if (left.size() - header_bytes < size) break;
    take_message(left[0], left.substr(header_bytes, size));
    left.remove_prefix(header_bytes + size);
  }
  pending_.erase(0, pending_.size() - left.size());
}

void report_receiver::take_message(char kind, std::string_view content) {
  archive_reader a(content);
  if (kind == message_about) {
    a(about_.emplace());
  } else if (kind == message_item) {
    std::size_t k = 0;
    a(k);
    if (k > items_.size()) archive_reader::refuse("an item before those it follows");
    const auto entry = std::make_shared<item>();
    a(*entry);
    if (k == items_.size())
      items_.push_back(entry);
    else
      items_[k] = entry;
  } else if (kind == message_progress) {
    a(fraction_, doing_);
  } else if (kind == message_end) {
    a(failure_);
    ended_ = true;
  } else {
    archive_reader::refuse("a message of an unknown kind");
  }
}

}  // namespace workbook
