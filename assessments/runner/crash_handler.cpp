#include "assessments/runner/crash_handler.h"

#include <sys/socket.h>

#include <algorithm>
#include <array>

#include "assessments/runner/message.h"
#include "runtime/core/fault_signal.h"
#include "runtime/engine/closed_memory.h"
#include "workshop/inside/crash_handler.h"
#include "workshop/inside/refused_call.h"

namespace runner {
namespace {

constexpr std::array reported = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT, SIGTRAP, SIGSYS, SIGXCPU};

address_range inputs;
volatile std::uint64_t current_nonce = 0;
reply report;  // made before: in the handler, no memory can be asked for

void send_report(const workshop::crash& crash) {
  report.nonce = current_nonce;
  report.outcome = outcome::crashed;
  report.signal = crash.signal;
  if (crash.signal == SIGSYS) {
    report.fault_address = workshop::refused_call(crash.info);
  } else {
    const auto address = reinterpret_cast<std::uintptr_t>(crash.info.si_addr);
    report.fault_address = address;
    if (crash.signal == SIGSEGV && gs::closed_memory::contains(crash.info.si_addr))
      report.touched_device = gs::detail::was_a_write(crash.context) ? 2 : 1;
    report.wrote_input = crash.signal == SIGSEGV && address >= inputs.begin && address < inputs.end;
  }
  std::copy_n(crash.frames.begin(), std::min(crash.frames.size(), report.frames.size()), report.frames.begin());
  send(channel_fd, &report, sizeof report, MSG_NOSIGNAL);
}

}  // namespace

void report_crashes(address_range shared_inputs) {
  inputs = shared_inputs;
  workshop::install({.signals = reported, .report = &send_report});
}

void answer_with(std::uint64_t nonce) { current_nonce = nonce; }

}  // namespace runner
