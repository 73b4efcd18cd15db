// The program around an exercise's checks, with somebody's file in them. gridstride-exercise starts it and listens.

#include <sys/socket.h>

#include <cstdio>
#include <cstdlib>
#include <nlohmann/json.hpp>
#include <string>
#include <variant>

#include "exercises/checker/crash_report.h"
#include "exercises/checker/protocol.h"
#include "runtime/core/code_lines.h"
#include "runtime/core/error.h"
#include "runtime/device/device.h"
#include "runtime/engine/kernel_faults.h"
#include "runtime/instruments/inspect.h"
#include "workbook/exercise.h"
#include "workbook/json/inspection_json.h"
#include "workbook/parameters.h"

namespace checker {
namespace {

using json = nlohmann::ordered_json;

void say(const json& message) {
  const std::string text = message.dump(-1, ' ', false, json::error_handler_t::replace) + "\n";
  for (std::size_t at = 0; at < text.size();) {
    const ssize_t n = send(channel_fd, text.data() + at, text.size() - at, MSG_NOSIGNAL);
    if (n <= 0) return;  // nobody listens any more
    at += static_cast<std::size_t>(n);
  }
}

std::string answer() {
  std::string text;
  char piece[4096];
  while (!text.ends_with('\n')) {
    const ssize_t n = recv(channel_fd, piece, sizeof piece, 0);
    if (n <= 0) break;
    text.append(piece, static_cast<std::size_t>(n));
  }
  return text;
}

// This program may not start addr2line itself.
std::string ask_for_lines(const std::string& module, const std::vector<std::uintptr_t>& offsets) {
  say({{"lines_of", {{"module", module}, {"offsets", offsets}}}});
  const json answered = json::parse(answer(), nullptr, false);
  return answered.is_object() ? answered.value("text", "") : "";
}

std::string text_of(const std::exception_ptr& failure) try {
  std::rethrow_exception(failure);
} catch (const std::exception& e) {
  return e.what();
} catch (...) {
  return "of a type that isn't derived from std::exception";
}

void say_result(const workbook::item& i) {
  await_a_check();
  if (const auto* check = std::get_if<workbook::check>(&i))
    say({{"check", check->name},
         {"passed", check->passed},
         {"expected", check->expected},
         {"got", check->got},
         {"file", check->where.file_name()},
         {"line", check->where.line()}});
  if (const auto* entry = std::get_if<workbook::inspection_entry>(&i)) {
    const gs::inspection findings{.findings = entry->result.findings,
                                  .lines = {},
                                  .kernels = {},
                                  .copies = {},
                                  .pictures = {},
                                  .instruments = entry->result.instruments,
                                  .model = entry->result.model,
                                  .registers_per_thread = 0,
                                  .ufunc_calls = 0,
                                  .orders = entry->result.orders,
                                  .notes = entry->result.notes,
                                  .seconds = 0,
                                  .failure = {}};
    say({{"inspection", workbook::inspection_json(findings)}});
    if (entry->result.failure) say({{"stopped", text_of(entry->result.failure)}});
  }
}

std::uint64_t seed = 1;  // the first argument
unsigned seconds = 0;    // the second one: how long it may take
std::string file;        // the third one: the learner's

int run() {
  report_crashes(seconds);
  gs::detail::leave_access_violations();
  gs::detail::find_lines_by(&ask_for_lines);
  const auto failed = [](const std::string& text, bool out_of_memory) {
    say({{"exception", text}, {"out_of_memory", out_of_memory}});
    return 1;
  };
  if (!gs::can_inspect()) {
    setenv("GRIDSTRIDE_INSPECT", "none", 1);  // inspections run what they are given, and see nothing
    try {
      say({{"device", gs::device().name}});
    } catch (const gs::machine_error& e) {
      say({{"no_device", e.found()}});
      return 3;
    }
  }
  try {
    const workbook::exercise exercise = workbook::this_exercise();
    workbook::report report;
    report.on_item = &say_result;
    exercise.check(report);
  } catch (const std::bad_alloc&) {
    return failed("std::bad_alloc", true);
  } catch (...) {
    return failed(text_of(std::current_exception()), false);
  }
  std::fflush(nullptr);
  say({{"done", true}});
  return 0;
}

}  // namespace
}  // namespace checker

std::uint64_t workbook::seed_of_checks() {
  static const bool announced = (checker::say({{"seed", checker::seed}}), true);
  return (void)announced, checker::seed;
}

std::string workbook::checked_file() { return checker::file; }

int main(int argc, char** argv) {
  if (argc > 1) checker::seed = workbook::parse_seed(argv[1]);
  if (argc > 2) checker::seconds = static_cast<unsigned>(std::strtoul(argv[2], nullptr, 10));
  if (argc > 3) checker::file = argv[3];
  return checker::run();
}
