#include "exercises/check/run_checks.h"

#include <fmt/format.h>
#include <signal.h>
#include <sys/epoll.h>
#include <sys/socket.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <charconv>
#include <chrono>
#include <cmath>
#include <fstream>
#include <iterator>
#include <nlohmann/json.hpp>
#include <system_error>
#include <thread>

#include "exercises/checker/protocol.h"
#include "runtime/core/error.h"
#include "runtime/core/printable.h"
#include "runtime/host/descriptor.h"
#include "workbook/exercise/text_lines.h"
#include "workbook/json/inspection_json.h"
#include "workbook/json/read_json.h"
#include "workshop/crash_place.h"
#include "workshop/machine.h"

namespace exercises {
namespace {

namespace fs = std::filesystem;
using workshop::process, workshop::process_event;
using json = nlohmann::ordered_json;

constexpr std::size_t longest_message = 16 << 20;
constexpr std::chrono::seconds time_to_say_where{10};               // of a program whose time is over, and to start it
constexpr std::uint64_t gpu_memory_bytes = std::uint64_t{8} << 30;  // that a GPU's driver takes

[[noreturn]] void refuse_to_listen() {
  throw gs::machine_error("listen to an exercise", std::system_category().message(errno), "end other programs");
}

// The C++ library's own word on an index, before it aborts; it is in no learner's terms.
constexpr std::string_view index_assertions[] = {"Assertion '__n < this->size()' failed.",  // of a std::vector
                                                 "Assertion '__idx < size()' failed."};     // of a std::span
// On a part of a std::span.
constexpr std::string_view part_assertions[] = {
    "Assertion '__offset + __count <= size()' failed.", "Assertion '__count <= size() - __offset' failed.",
    "Assertion '__offset <= size()' failed.", "Assertion '__count <= size()' failed."};

// Takes the line with the assertion out of what the program printed; returns whether there was one.
bool take_assertion(std::string_view assertion, std::string& output) {
  const std::size_t at = output.find(assertion);
  if (at == output.npos) return false;
  const std::size_t before = output.rfind('\n', at), begin = before == output.npos ? 0 : before + 1;
  const std::size_t end = output.find('\n', at);
  output.erase(begin, end == output.npos ? output.npos : end + 1 - begin);
  return true;
}

class running_checks {
 public:
  running_checks(const exercise_program& p, const check_options& o, exercise_result& r)
      : program_(p), level_(o.level), seconds_(o.run_seconds), seed_(o.seed), result_(r) {
    int ends[2];
    if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) != 0) refuse_to_listen();
    ours_ = gs::detail::descriptor(ends[0]);
    theirs_ = gs::detail::descriptor(ends[1]);
  }

  bool run(const workshop::interruption& by) {
    const auto began = process::clock::now();
    const auto deadline = began + std::chrono::milliseconds(static_cast<int>(1000 * seconds_)) + time_to_say_where;
    process child({.command = confined_command(), .descriptors = {theirs_.number()}, .output_bytes = run_output_bytes});
    theirs_.close();
    const gs::detail::descriptor either = either_of(ours_.number(), by.descriptor);
    process_event event = process_event::readable;
    while (!over_ && (event = child.wait(deadline, either.number())) == process_event::readable) {
      if (by.descriptor >= 0 && can_be_read(either, by.descriptor) && by.happened()) return false;
      listen();
    }
    if (event == process_event::deadline) timed_out_ = true;
    if (!timed_out_) child.wait(process::clock::now() + std::chrono::seconds(2));
    child.end();
    while (listen()) {
    }
    result_.run_seconds = std::chrono::duration<double>(process::clock::now() - began).count();
    result_.output = gs::detail::printable(child.output());
    if (child.output_written() > run_output_bytes)
      result_.output += fmt::format("\n[{} bytes more were cut]\n", child.output_written() - run_output_bytes);
    conclude(child.status());
    refuse_small_machine();
    return true;
  }

 private:
  std::vector<std::string> confined_command() const {
    workshop::confinement c;
    c.readable = readable_by_checks(program_.flavour);
    c.readable.push_back(program_.folder->path());
    c.readable.push_back(program_.source);
    // Needed only where the program's own alarm, which reports where it was looping, doesn't go off.
    const std::chrono::duration<double> longest = std::chrono::duration<double>(seconds_) + time_to_say_where;
    c.processor_seconds = longest.count() * std::max(1u, std::thread::hardware_concurrency());
    c.memory_bytes = run_memory_bytes;
    if (program_.flavour == workshop::flavour::cuda && !workshop::gpu_devices().empty()) {
      c.gpu = true;
      c.memory_bytes += gpu_memory_bytes;
    }
    c.processes = std::max(64u, 32 + 2 * std::thread::hardware_concurrency());
    const auto seconds = static_cast<unsigned>(std::max(1.0, std::floor(seconds_)));
    return workshop::confined(
        level_, c,
        {program_.program.string(), std::to_string(seed_), std::to_string(seconds), program_.source.string()});
  }

  // A descriptor that is readable whenever one of the two is.
  static gs::detail::descriptor either_of(int a, int b) {
    gs::detail::descriptor epoll(epoll_create1(EPOLL_CLOEXEC));
    for (const int watched : {a, b}) {
      epoll_event e{.events = EPOLLIN, .data = {.fd = watched}};
      if (watched >= 0 && epoll_ctl(epoll.number(), EPOLL_CTL_ADD, watched, &e) != 0) refuse_to_listen();
    }
    return epoll;
  }
  static bool can_be_read(const gs::detail::descriptor& epoll, int descriptor_number) {
    std::array<epoll_event, 2> events;
    const int count = epoll_wait(epoll.number(), events.data(), 2, 0);
    for (int k = 0; k < count; ++k)
      if (events[static_cast<std::size_t>(k)].data.fd == descriptor_number) return true;
    return false;
  }

  // Handles the messages that have arrived; returns whether there were any.
  bool listen() {
    std::array<char, 1 << 16> piece;
    const ssize_t n = recv(ours_.number(), piece.data(), piece.size(), MSG_DONTWAIT);
    if (n == 0) over_ = true;
    if (n <= 0) return false;
    heard_.append(piece.data(), static_cast<std::size_t>(n));
    std::size_t begin = 0;
    for (std::size_t end; (end = heard_.find('\n', begin)) != heard_.npos; begin = end + 1)
      take(std::string_view(heard_).substr(begin, end - begin));
    heard_.erase(0, begin);
    if (heard_.size() > longest_message) over_ = true;
    return true;
  }

  void take(std::string_view line) try {
    const auto message = workbook::read_json(line, "reading what an exercise says", "let the checker say it");
    if (message.contains("check")) take_check(message);
    if (message.contains("inspection")) take_findings(workbook::read_inspection(message.at("inspection")));
    if (message.contains("stopped") && result_.outcome == outcome::passed)
      fail(outcome::exception, thrown(message.at("stopped")));
    if (message.contains("lines_of")) answer_lines(message.at("lines_of"));
    if (message.contains("exception")) exception_ = message;
    if (message.contains("crash")) crash_ = message;
    if (message.contains("seed")) result_.seed = seed_;
    if (message.contains("no_device")) no_device_ = gs::detail::printable(message.at("no_device").get<std::string>());
    if (message.contains("device")) result_.device = gs::detail::printable(message.at("device").get<std::string>());
    if (message.contains("done")) result_.to_the_end = true;
  } catch (const std::exception&) {
    // Only the exercise itself can have written a malformed message, so it is ignored.
  }

  void take_check(const workbook::read_json_value& m) {
    result_.checks.push_back({.name = gs::detail::printable(m.at("check").get<std::string>()),
                              .passed = m.at("passed"),
                              .expected = gs::detail::printable(m.at("expected").get<std::string>()),
                              .got = gs::detail::printable(m.at("got").get<std::string>()),
                              .place = {m.at("file"), m.at("line"), 0}});
    if (!result_.checks.back().passed && result_.outcome == outcome::passed) result_.outcome = outcome::check_failed;
  }

  void take_findings(const gs::inspection& inspection) {
    for (gs::finding f : inspection.findings) {
      shorten(f.access.where);
      if (f.other) shorten(f.other->where);
      shorten(f.made);
      add_finding(std::move(f));
    }
    if (inspection.findings.empty()) return;
    if (result_.outcome == outcome::passed) {
      result_.outcome = outcome::finding;
      result_.place = result_.findings.front().access.where;
    }
  }

  // One finding per line and kind, whatever the number of occurrences, sizes and columns.
  void add_finding(gs::finding f) {
    const auto earlier_finding = std::ranges::find_if(result_.findings, [&](const gs::finding& earlier) {
      return earlier.kind == f.kind && earlier.same_value == f.same_value && earlier.access.kernel == f.access.kernel &&
             earlier.access.where.file == f.access.where.file && earlier.access.where.line == f.access.where.line;
    });
    if (f.access.where.line > 0 && earlier_finding != result_.findings.end())
      earlier_finding->count += f.count;
    else
      result_.findings.push_back({std::move(f), result_.checks.size()});
  }

  // Places in the learner's file get the name that the learner uses for it.
  void shorten(gs::source_place& place) const {
    if (fs::path(place.file) == program_.source) place.file = result_.file;
  }

  void answer_lines(const json& question) {
    const std::string text = text_of_lines(question.at("offsets").get<std::vector<std::uint64_t>>());
    const std::string answer = json{{"text", text}}.dump(-1, ' ', false, json::error_handler_t::replace) + "\n";
    for (std::size_t at = 0; at < answer.size();) {
      const ssize_t n = send(ours_.number(), answer.data() + at, answer.size() - at, MSG_NOSIGNAL);
      if (n <= 0) return;
      at += static_cast<std::size_t>(n);
    }
  }

  std::string text_of_lines(const std::vector<std::uint64_t>& offsets) const {
    return workshop::lines_of_code(program_.program, offsets, level_, 0);
  }

  gs::source_place place_of(const std::vector<std::uint64_t>& frames) const {
    const std::string prefix = program_.source.string() + ":", lines = text_of_lines(frames);
    for (const std::string_view line : workbook::lines_of(lines)) {
      if (!line.starts_with(prefix)) continue;
      gs::source_place place{result_.file, 0, 0};
      std::from_chars(line.data() + prefix.size(), line.data() + line.size(), place.line);
      if (place.line > 0) return place;
    }
    return {};
  }

  void fail(outcome reason, std::string text) {
    result_.outcome = reason;
    result_.text = std::move(text);
  }

  static std::string thrown(const json& text) {
    return "It threw an exception: " + gs::detail::printable(text.get<std::string>());
  }

  void conclude(int status) {
    if (!no_device_.empty())
      throw gs::machine_error("run an exercise on the GPU", no_device_, "leave --target out: the engine runs it then");
    if (crash_.is_object()) return conclude_crash();
    if (exception_.is_object()) {
      if (exception_.value("out_of_memory", false))
        return fail(outcome::out_of_memory, fmt::format("It asked for more memory than the {:.1f} GB that it may have.",
                                                        run_memory_bytes / 1e9));
      return fail(outcome::exception, thrown(exception_.at("exception")));
    }
    if (timed_out_) return fail_late();
    if (result_.to_the_end) return;
    if (status == 128 + SIGKILL && workshop::processes_ended_for_memory() > ended_for_memory_before_)
      throw gs::machine_error("run " + gs::detail::printable(result_.file), "this machine ran out of memory",
                              "close other programs");
    if (status == 128 + SIGKILL) return fail(outcome::out_of_memory, workshop::killed_text);
    if (status == 128 + SIGXCPU)
      return fail(outcome::timed_out,
                  fmt::format("It was stopped: it had used all of its time, {:g} s on each core.", seconds_));
    if (status > 128) return fail_crashed(status - 128);
    if (status == 125) {
      const std::string message = result_.output.substr(0, result_.output.find('\n'));
      throw gs::machine_error("run an exercise in a sandbox (" + to_string(level_) + ")", message,
                              "choose another level of isolation");
    }
    fail(outcome::ended, fmt::format("It ended the program in the middle of the checks, with status {}.", status));
  }

  bool has_barriers() const {
    std::ifstream file(program_.source);
    return std::string(std::istreambuf_iterator<char>(file), {}).find("sync()") != std::string::npos;
  }

  void fail_late() { fail_late(seconds_, ""); }
  void fail_late(double seconds, const char* doing) {
    fail(outcome::timed_out, fmt::format("It was stopped after {:g} s{}: is there a loop that never ends{}?", seconds,
                                         doing, has_barriers() ? ", or a barrier that some threads never reach" : ""));
  }

  // A failure for want of memory is the machine's where it has less than an exercise may use.
  void refuse_small_machine() const {
    const bool for_memory = result_.outcome == outcome::out_of_memory ||
                            (result_.outcome == outcome::exception && result_.text.find("memory") != std::string::npos);
    if (for_memory && workshop::memory_limit() < run_memory_bytes)
      throw gs::machine_error(
          "run " + gs::detail::printable(result_.file),
          fmt::format("on this machine a program has {:.1f} GB of memory, and an exercise may use {:.1f} GB",
                      static_cast<double>(workshop::memory_limit()) / 1e9, run_memory_bytes / 1e9),
          "raise the limit (ulimit -v)");
  }

  void conclude_crash() {
    const int signal = crash_.value("crash", 0);
    result_.place = place_of(crash_.value("frames", std::vector<std::uint64_t>()));
    if (signal == SIGSYS)
      return fail(outcome::refused, fmt::format("It tried to {}, which exercises may not.",
                                                workshop::purpose_of_call(crash_.value("call", std::uint64_t{0}))));
    if (signal == SIGALRM) return fail_late();
    if (signal == SIGPROF) return fail_late(checker::seconds_to_a_check, " of computing");
    if (signal == SIGXCPU)
      return fail(outcome::timed_out,
                  fmt::format("It was stopped: it had used all of its time, {:g} s on each core.", seconds_));
    fail_crashed(signal);
  }

  void fail_crashed(int signal) {
    const auto asserts = [&](std::string_view assertion) { return take_assertion(assertion, result_.output); };
    if (signal == SIGABRT && std::ranges::any_of(index_assertions, asserts))
      return fail(outcome::crashed,
                  "An array of the host has no element of that index: it is as large as the array, or larger, or was "
                  "negative before it became a std::size_t.");
    if (signal == SIGABRT && std::ranges::any_of(part_assertions, asserts))
      return fail(outcome::crashed,
                  "A part of a std::span ends beyond the span: it begins too far on, or has too many elements.");
    fail(outcome::crashed, fmt::format("It crashed: {}.", workshop::signal_name(signal)));
  }

  const exercise_program& program_;
  workshop::isolation level_;
  double seconds_;
  std::uint64_t seed_;
  exercise_result& result_;
  gs::detail::descriptor ours_, theirs_;
  std::string heard_;
  bool over_ = false, timed_out_ = false;
  const std::uint64_t ended_for_memory_before_ = workshop::processes_ended_for_memory();
  json crash_, exception_;
  std::string no_device_;
};

}  // namespace

bool run_checks(const exercise_program& p, const check_options& o, exercise_result& result) {
  return running_checks(p, o, result).run(o.by);
}

}  // namespace exercises
