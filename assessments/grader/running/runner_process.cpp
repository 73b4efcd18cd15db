#include "assessments/grader/running/runner_process.h"

#include <fmt/format.h>
#include <signal.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <thread>
#include <utility>

#include "assessments/grader/running/submission_parts.h"
#include "runtime/core/error.h"
#include "runtime/core/printable.h"
#include "runtime/host/machine.h"
#include "workshop/crash_place.h"
#include "workshop/machine.h"
#include "workshop/machine_lack.h"

namespace grader {

using gs::detail::printable;
using workshop::bytes_text, workshop::confined, workshop::confinement, workshop::crash_place, workshop::flavour,
    workshop::isolation, workshop::lines_of_code, workshop::machine_lack, workshop::process, workshop::process_event,
    workshop::process_options, workshop::processes_ended_for_memory, workshop::purpose_of_call, workshop::signal_name;
namespace {

namespace fs = std::filesystem;

process::clock::duration duration_of(double seconds) {
  return std::chrono::duration_cast<process::clock::duration>(std::chrono::duration<double>(seconds));
}

// What /proc gives after a thread's name in brackets, which may hold anything: "12 (a) b) T 1 ...". From its state on;
// empty if it is gone.
std::string state_of(const fs::path& thread) {
  std::ifstream file(thread / "stat");
  std::string text;
  std::getline(file, text);
  const std::size_t end = text.rfind(") ");
  return end == text.npos ? "" : text.substr(end + 2);
}

bool is_stopped(const fs::path& thread) {
  const std::string state = state_of(thread);
  return state.empty() || std::strchr("TtZX", state[0]) != nullptr;
}

// Of user code, in the system's ticks.
std::uint64_t processor_time(const fs::path& thread) {
  std::istringstream fields(state_of(thread));
  std::string skipped;
  for (int k = 0; k < 11; ++k) fields >> skipped;
  std::uint64_t ticks = 0;
  fields >> ticks;
  return ticks;
}

// The thread that has computed most: where a call doesn't end, it is the one that goes round.
pid_t busiest_thread(pid_t id) {
  pid_t busiest = id;
  std::uint64_t most = 0;
  std::error_code gone;
  for (const fs::directory_entry& thread : fs::directory_iterator(fmt::format("/proc/{}/task", id), gone))
    if (const std::uint64_t ticks = processor_time(thread.path()); ticks > most)
      most = ticks, busiest = static_cast<pid_t>(std::stol(thread.path().filename().string()));
  return busiest;
}

bool all_stopped(pid_t id) {
  std::error_code gone;
  for (const fs::directory_entry& thread : fs::directory_iterator(fmt::format("/proc/{}/task", id), gone))
    if (!is_stopped(thread.path())) return false;
  return true;
}

// In the checked flavour the runtime keeps tables of every address and access, and never uses an address twice. A GPU's
// driver and its libraries have tables of their own.
std::uint64_t memory_of(const run_limits& limits, const compiled_module& module) {
  constexpr std::uint64_t table = std::uint64_t{1280} << 20, driver = std::uint64_t{8} << 30;
  if (module.flavour == flavour::checked) return table + 2 * limits.memory_bytes;
  return limits.memory_bytes + (module.on_gpu ? driver : 0);
}

// The checked flavour reserves a terabyte; a GPU's driver what all its GPUs and the machine have.
std::uint64_t addresses_of(const run_limits& limits, const compiled_module& module) {
  if (module.on_gpu) return 0;
  return memory_of(limits, module) + (std::uint64_t{module.flavour == flavour::checked ? 2048u : 64u} << 30);
}

}  // namespace

runner_process::runner_process(const run_limits& limits, const compiled_module& module, isolation level, unsigned slot,
                               std::uint64_t inputs_bytes, std::uint64_t outputs_bytes)
    : limits_(limits),
      module_(module),
      level_(level),
      slot_(slot),
      inputs_(inputs_bytes, shared_memory::rights::others_read),
      outputs_(outputs_bytes, shared_memory::rights::others_write) {
  start();
}

runner_process::~runner_process() { end(); }

void runner_process::start() {
  confinement c;
  c.readable = readable_by_runner(module_.flavour);
  c.readable.push_back(module_.module);
  c.processor_seconds = limits_.total_seconds;
  c.memory_bytes = memory_of(limits_, module_);
  c.address_bytes = addresses_of(limits_, module_);
  c.scratch_bytes = limits_.scratch_bytes;
  c.processes = std::max(64u, 32 + 2 * std::thread::hardware_concurrency());
  c.gpu = module_.on_gpu;
  const std::vector<std::string> command = {runner_program(module_.flavour).string(), module_.module.string()};
  process_.emplace(process_options{.command = confined(level_, c, command, slot_),
                                   .descriptors = {channel_.runner_end(), inputs_.number(), outputs_.number()},
                                   .output_bytes = limits_.output_bytes});
  memory_at_start_ = gs::detail::free_memory();
  ended_for_memory_before_ = processes_ended_for_memory();
  channel_.close_runner_end();
  alive_ = true;

  const auto event = process_->wait(clock::now() + std::chrono::seconds(30), channel_.number());
  runner::reply hello;
  const auto packet =
      event == process_event::readable ? channel_.receive(std::as_writable_bytes(std::span(&hello, 1))) : std::nullopt;
  if (!packet || packet->bytes != sizeof hello || hello.nonce != 0 || hello.outcome != runner::outcome::done) {
    end();
    const std::string& output = process_->output();
    const std::string message = printable(output.substr(0, output.find('\n')));
    throw gs::machine_error(
        "start a submission in a sandbox (" + to_string(level_) + ")", message.empty() ? "it did not start" : message,
        machine_lack::may_have_passed(message) ? "end other programs, or raise the limit (ulimit -u)"
                                               : "choose another level of isolation");
  }
  runner_ = packet->sender;
}

void runner_process::end() {
  if (!process_) return;
  alive_ = false;
  // The innermost process first: what is around it then ends in good order, and nothing is left to be collected.
  if (runner_ > 0 && !process_->ended()) {
    kill(runner_, SIGKILL);
    process_->wait(clock::now() + std::chrono::seconds(2));
  }
  runner_ = 0;
  process_->end();
}

// A thread that waits for a disk stops when the disk has answered: on a busy machine that takes seconds, and is
// nobody's fault.
std::optional<mishap> runner_process::stop() {
  if (!alive_ || stopped_) return std::nullopt;
  stopped_ = true;
  const auto deadline = clock::now() + std::chrono::minutes(1);
  do {
    kill(runner_, SIGSTOP);
    if (all_stopped(runner_)) return std::nullopt;
    std::this_thread::sleep_for(std::chrono::microseconds(20));
  } while (clock::now() < deadline);
  end();
  return mishap{.kind = mishap_kind::refused,
                .text = "It resumes itself after being stopped, while its answer is being checked."};
}

void runner_process::go_on() {
  if (!stopped_) return;
  stopped_ = false;
  kill(runner_, SIGCONT);
}

std::variant<answered, mishap> runner_process::ask(runner::request r) {
  // Whatever is in the channel now was written before this request was sent.
  runner::reply early;
  const auto read_early = [&] { return channel_.receive(std::as_writable_bytes(std::span(&early, 1))); };
  if (const auto packet = read_early(); packet && packet->bytes > 0) return unasked(early, *packet);
  earlier_nonce_ = std::exchange(nonce_, 0);
  do nonce_ = std::uint64_t{entropy_()} << 32 | entropy_();
  while (nonce_ == 0);
  r.nonce = nonce_;
  go_on();
  const auto sent = clock::now();
  if (channel_.send(r)) return receive(sent, sent + duration_of(limits_.call_seconds));
  // It has just ended, perhaps after sending a message.
  if (const auto packet = read_early(); packet && packet->bytes > 0) return unasked(early, *packet);
  return ended_by_itself();
}

std::variant<answered, mishap> runner_process::receive(clock::time_point sent, clock::time_point deadline) {
  while (true) {
    const process_event event = process_->wait(deadline, channel_.number());
    if (event == process_event::deadline) return timed_out();
    answered a;
    std::optional<channel::packet> packet;
    if (event == process_event::readable) {
      packet = channel_.receive(std::as_writable_bytes(std::span(&a.reply, 1)));
      if (!packet) continue;
    }
    if (!packet || packet->bytes == 0) return ended_by_itself();
    a.seconds = std::chrono::duration<double>(clock::now() - sent).count();
    if (packet->bytes != sizeof a.reply || packet->sender != runner_ || a.reply.nonce != nonce_)
      return unasked(a.reply, *packet);
    a.reply.text.back() = 0;
    if (a.reply.outcome == runner::outcome::crashed) return crashed(a.reply);
    if (a.reply.outcome > runner::outcome::asks_for_lines) return forged();
    if (a.reply.outcome == runner::outcome::asks_for_lines) {
      if (auto problem = answer_lines(a, deadline)) return std::move(*problem);
      continue;
    }
    if (auto problem = receive_json(a, deadline)) return std::move(*problem);
    return a;
  }
}

// The runner may start no program, so that addr2line is run here, in a sandbox of its own.
std::optional<mishap> runner_process::answer_lines(answered& a, clock::time_point deadline) {
  constexpr std::size_t most = 20'000;
  if (a.reply.json_bytes > most * sizeof(std::uint64_t) || a.reply.json_bytes % sizeof(std::uint64_t) != 0)
    return forged();
  if (auto problem = receive_json(a, deadline)) return problem;
  std::vector<std::uint64_t> offsets(a.json.size() / sizeof(std::uint64_t));
  std::memcpy(offsets.data(), a.json.data(), a.json.size());
  // The submission's file has the name under which it was compiled.
  std::string lines = lines_of_code(module_.module, offsets, level_, slot_);
  const std::string folder = module_.module.parent_path().string() + "/";
  for (std::size_t at = lines.find(folder); at != lines.npos; at = lines.find(folder, at))
    lines.erase(at, folder.size());
  if (!channel_.send(lines)) return ended_by_itself();
  return std::nullopt;
}

std::optional<mishap> runner_process::receive_json(answered& a, clock::time_point deadline) {
  if (a.reply.json_bytes > limits_.inspection_bytes) return too_much_observed(a.reply.json_bytes);
  std::vector<std::byte> piece(1 << 16);
  while (a.json.size() < a.reply.json_bytes) {
    const process_event event = process_->wait(deadline, channel_.number());
    if (event == process_event::deadline) return timed_out();
    if (event == process_event::ended) return ended_by_itself();
    const auto packet = channel_.receive(piece);
    if (!packet) continue;
    if (packet->bytes == 0) return ended_by_itself();
    if (packet->bytes > piece.size() || packet->sender != runner_ || a.json.size() + packet->bytes > a.reply.json_bytes)
      return forged();
    a.json.append(reinterpret_cast<const char*>(piece.data()), packet->bytes);
  }
  return std::nullopt;
}

// The runner reports a signal with the line where it came, as for any crash. Nothing else that it says is heard any
// more.
std::optional<runner::reply> runner_process::last_words() {
  const auto deadline = clock::now() + std::chrono::seconds(2);
  if (syscall(SYS_tgkill, runner_, busiest_thread(runner_), SIGXCPU) != 0) return std::nullopt;
  while (process_->wait(deadline, channel_.number()) == process_event::readable) {
    runner::reply r;
    const auto packet = channel_.receive(std::as_writable_bytes(std::span(&r, 1)));
    if (!packet) continue;
    if (packet->bytes == 0) return std::nullopt;
    if (packet->bytes == sizeof r && packet->sender == runner_ && r.nonce == nonce_ &&
        r.outcome == runner::outcome::crashed && r.signal == SIGXCPU)
      return r;
  }
  return std::nullopt;
}

mishap runner_process::timed_out() {
  const std::optional<runner::reply> r = last_words();
  end();
  mishap m{.kind = mishap_kind::timed_out};
  if (r) m.place = crash_place(module_.module, r->frames, level_, slot_);
  m.text = fmt::format("It was stopped after {:g} s, the limit of a call{}.", limits_.call_seconds,
                       m.place.line == 0 ? "" : fmt::format(", at {}:{}", printable(m.place.file), m.place.line));
  return m;
}

// A thread that goes on after a call may crash before the next one.
mishap runner_process::unasked(const runner::reply& r, const channel::packet& packet) {
  const bool is_crash = packet.bytes == sizeof r && packet.sender == runner_ &&
                        (r.nonce == nonce_ || r.nonce == earlier_nonce_) && r.outcome == runner::outcome::crashed;
  return is_crash ? crashed(r) : forged();
}

mishap runner_process::forged() {
  end();
  return {.kind = mishap_kind::refused,
          .text = "It wrote to the channel on which the runner answers the grader. Only the runner may do that."};
}

mishap runner_process::too_much_observed(std::uint64_t bytes) {
  end();
  return {.kind = mishap_kind::refused,
          .text = fmt::format("The instruments' report of one call takes {:.1f} MB, and at most {:.0f} MB are read: it "
                              "has too many lines or kernels, or wrote to the channel on which the runner answers.",
                              static_cast<double>(bytes) / 1e6, static_cast<double>(limits_.inspection_bytes) / 1e6)};
}

// The channel is closed: the process has ended or is about to.
mishap runner_process::ended_by_itself() {
  process_->wait(clock::now() + std::chrono::seconds(10));
  const bool ended = process_->ended();
  end();
  const int status = process_->status();
  if (!ended)
    return {.kind = mishap_kind::refused, .text = "It closed the channel on which the runner answers the grader."};
  if (status == 128 + SIGXCPU)
    return {.kind = mishap_kind::timed_out,
            .text = fmt::format("It used more than {:g} s of processor time.", limits_.total_seconds)};
  if (status == 128 + SIGXFSZ)
    return {.kind = mishap_kind::refused,
            .text = fmt::format("It wrote a file of more than {:.0f} MB.",
                                static_cast<double>(limits_.scratch_bytes) / 1e6)};
  if (status == 128 + SIGKILL && processes_ended_for_memory() > ended_for_memory_before_ &&
      memory_at_start_ < memory_of(limits_, module_))
    throw gs::machine_error("run a submission",
                            fmt::format("this machine ran out of its {} of memory; a submission may use {}",
                                        bytes_text(memory_at_start_), bytes_text(memory_of(limits_, module_))),
                            "close other programs");
  if (status == 128 + SIGKILL) return {.kind = mishap_kind::out_of_memory, .text = workshop::killed_text};
  if (status == 128 + SIGSYS)
    return {.kind = mishap_kind::refused,
            .text = "It made a system call that a submission may not make: perhaps it tried to start a program."};
  if (status > 128 && status < 128 + NSIG)
    return {.kind = mishap_kind::crashed,
            .text = fmt::format("It was stopped by signal {} ({}).", status - 128, signal_name(status - 128))};
  return {.kind = mishap_kind::ended,
          .text = fmt::format("It ended the program in the middle of a call, with exit status {}.", status)};
}

mishap runner_process::crashed(const runner::reply& r) {
  end();
  mishap m{.kind = mishap_kind::crashed, .place = crash_place(module_.module, r.frames, level_, slot_)};
  const std::string place = m.place.line == 0 ? "" : fmt::format(" at {}:{}", printable(m.place.file), m.place.line);
  if (r.touched_device != 0) {
    m.kind = mishap_kind::host_work;
    m.text = fmt::format(
        "Host code {} device memory{}, which it can't reach on a GPU. Let a kernel do that work: pass it "
        "the array and launch it.",
        r.touched_device == 2 ? "writes" : "reads", place);
  } else if (r.signal == SIGSYS) {
    m.kind = mishap_kind::refused;
    m.text = fmt::format("It tried to {}{}, which a submission may not.", purpose_of_call(r.fault_address), place);
  } else if (r.wrote_input != 0) {
    m.kind = mishap_kind::changed_input;
    m.text = fmt::format("It wrote to its input{}: signal {} ({}).", place, r.signal, signal_name(r.signal));
  } else if (r.signal == SIGXCPU) {
    m.kind = mishap_kind::timed_out;
    m.text = fmt::format("It used more than {:g} s of processor time{}.", limits_.total_seconds, place);
  } else {
    m.text = fmt::format("It was stopped by signal {} ({}){}.", r.signal, signal_name(r.signal), place);
  }
  return m;
}

}  // namespace grader
