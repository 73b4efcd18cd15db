// gridstride-runner MODULE: the process that a submission runs in. Answers the grader's requests on descriptor 3;
// message.h says how. Started in a sandbox, and trusted with nothing. `gridstride-runner --device` prints the name of
// the device that submissions would run on.

#include <dlfcn.h>
#include <errno.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <pthread.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <exception>
#include <new>
#include <nlohmann/json.hpp>
#include <stdexcept>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

#include "assessments/runner/border.h"
#include "assessments/runner/crash_handler.h"
#include "assessments/runner/entry.h"
#include "assessments/runner/message.h"
#include "runtime/core/code_lines.h"
#include "runtime/core/error.h"
#include "runtime/core/ledger.h"
#include "runtime/device/device.h"
#include "runtime/engine/closed_memory.h"
#include "runtime/engine/kernel_faults.h"
#include "runtime/instruments/inspect.h"
#include "workbook/json/inspection_json.h"
#include "workshop/inside/crash_handler.h"
#if GRIDSTRIDE_CUDA
#include <cuda_runtime_api.h>
#endif

namespace runner {
namespace {

// What the sandbox had to leave to this program and a submission doesn't need: starting programs, and shared memory,
// which no limit counts. (seccomp(2): of two filters the stricter one holds.)
void give_up_calls() {
#if GRIDSTRIDE_CUDA
  // A GPU's driver maps its devices, and would start a program that loads it.
  constexpr std::uint32_t shared_memory = SECCOMP_RET_ALLOW, program = SECCOMP_RET_ERRNO | EPERM;
#else
  constexpr std::uint32_t shared_memory = SECCOMP_RET_ERRNO | EPERM, program = SECCOMP_RET_TRAP;
#endif
  sock_filter steps[] = {
      BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(seccomp_data, nr)),
      BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_execve, 5, 0),
      BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_execveat, 4, 0),
      BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_mmap, 0, 2),
      BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(seccomp_data, args) + 3 * sizeof(std::uint64_t)),  // its flags
      BPF_JUMP(BPF_JMP | BPF_JSET | BPF_K, MAP_SHARED, 2, 0),
      BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
      BPF_STMT(BPF_RET | BPF_K, program),
      BPF_STMT(BPF_RET | BPF_K, shared_memory),
  };
  const sock_fprog filter{.len = sizeof steps / sizeof *steps, .filter = steps};
  prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &filter);  // refused where no sandbox came before, as in a debugger
}

void send_bytes(const char* data, std::size_t bytes) {
  constexpr std::size_t packet = 1 << 16;
  for (std::size_t at = 0; at < bytes; at += packet)
    send(channel_fd, data + at, std::min(packet, bytes - at), MSG_NOSIGNAL);
}

// gs::synchronize() knows the runtime's own streams. What was started on others belongs to the call as well.
void wait_for_gpu() {
#if GRIDSTRIDE_CUDA
  if (gs::current_device() != gs::device_kind::cuda) return;
  if (const cudaError_t status = cudaDeviceSynchronize(); status != cudaSuccess)
    throw std::runtime_error(std::string("the GPU: ") + cudaGetErrorString(status));
#endif
}

int name_device() try {
  std::printf("%s\n", gs::device().name.c_str());
  return 0;
} catch (const gs::machine_error& e) {
  std::printf("%s\n", e.found().c_str());
  return 3;
}

struct mapping {
  std::byte* begin = nullptr;
  std::size_t bytes = 0;
};

mapping map(int descriptor, int protection) {
  struct stat status{};
  if (fstat(descriptor, &status) != 0) return {};
  const auto bytes = static_cast<std::size_t>(status.st_size);
  void* mapped = mmap(nullptr, bytes, protection, MAP_SHARED, descriptor, 0);
  return mapped == MAP_FAILED ? mapping{} : mapping{static_cast<std::byte*>(mapped), bytes};
}

// The request that is being answered, and the module: what asks for lines has no other way to them.
std::uint64_t asked_nonce = 0;
std::string module_file;

std::string ask_for_lines(const std::string& module, const std::vector<std::uintptr_t>& offsets) {
  if (module != module_file) return "";  // the learner's lines are in no other
  reply question;
  question.nonce = asked_nonce;
  question.outcome = outcome::asks_for_lines;
  question.json_bytes = offsets.size() * sizeof(std::uint64_t);
  send(channel_fd, &question, sizeof question, MSG_NOSIGNAL);
  send_bytes(reinterpret_cast<const char*>(offsets.data()), question.json_bytes);
  std::uint64_t length = 0;
  std::string text;
  if (recv(channel_fd, &length, sizeof length, 0) != sizeof length) return text;
  while (text.size() < length) {
    char piece[1 << 16];
    const ssize_t n = recv(channel_fd, piece, sizeof piece, 0);
    if (n <= 0) break;
    text.append(piece, static_cast<std::size_t>(n));
  }
  return text;
}

// From its construction to its end, copies are watched.
class watch_scope {
 public:
  explicit watch_scope(border* by) : before_(gs::detail::watch_copies_by(by)) {}
  ~watch_scope() { gs::detail::watch_copies_by(before_); }
  watch_scope(const watch_scope&) = delete;
  watch_scope& operator=(const watch_scope&) = delete;

 private:
  gs::detail::copy_watch* before_;
};

class session {
 public:
  session(std::string module, mapping inputs, mapping outputs)
      : module_(std::move(module)), inputs_(inputs), outputs_(outputs) {}

  void answer(const request& r) {
    reply_ = {};
    json_.clear();
    try {
      take(r);
    } catch (...) {
      say(std::current_exception());
    }
    reply_.json_bytes = json_.size();
    reply_.nonce = r.nonce;
    send_all();
  }
  void send_all() {
    send(channel_fd, &reply_, sizeof reply_, MSG_NOSIGNAL);
    send_bytes(json_.data(), json_.size());
  }

 private:
  void take(const request& r) {
    switch (r.step) {
      case step::load:
        if (r.closed) gs::closed_memory::begin();
        return load();
      case step::prepare:
        return prepare(r);
      case step::run:
        return r.inspect ? run_inspected() : run(r.exchange != 0);
      case step::deliver:
        return deliver();
    }
  }

  void load() {
    void* handle = dlopen(module_.c_str(), RTLD_NOW | RTLD_LOCAL);
    if (!handle) throw std::runtime_error(dlerror());
    void* entry = dlsym(handle, "gridstride_submission");
    if (!entry) throw std::runtime_error("the module doesn't export gridstride_submission");
    workshop::tell_crashes_of(entry);
    submission_ = reinterpret_cast<decltype(&gridstride_submission)>(entry)();
  }

  void prepare(const request& r) {
    arrays_.clear();
    for (std::uint32_t k = 0; k < r.array_count; ++k) {
      const argument_place& place = r.arrays[k];
      argument a;
      if (place.in != argument_place::nowhere) a.in = inputs_.begin + place.in;
      if (place.out != argument_place::nowhere) a.out = outputs_.begin + place.out;
      for (std::size_t d = 0; d < a.extents.size(); ++d) a.extents[d] = place.extents[d];
      a.rank = place.rank;
      a.element_bytes = place.element_bytes;
      a.guard = place.guard;
      arrays_.push_back(a);
    }
    numbers_.assign(r.numbers.begin(), r.numbers.begin() + r.number_count);
    watches_ = r.inspect || r.exchange;
    if (watches_) border_.begin(arrays_);
    std::vector<const std::byte*> exchanged;
    for (std::uint32_t k = 0; k < r.array_count; ++k)
      exchanged.push_back(r.arrays[k].exchanged == argument_place::nowhere ? nullptr
                                                                           : inputs_.begin + r.arrays[k].exchanged);
    // The first touch of a page costs more than most loops over it, and is none of the submission's.
    madvise(inputs_.begin, r.inputs_bytes, MADV_POPULATE_READ);
    madvise(outputs_.begin, r.outputs_bytes, MADV_POPULATE_WRITE);
    const watch_scope watched(watches_ ? &border_ : nullptr);
    submission_->prepare({arrays_, numbers_});
    if (r.exchange) border_.exchange_by(std::move(exchanged));
  }

  void run(bool exchange) {
    const watch_scope watched(exchange ? &border_ : nullptr);
    if (exchange) border_.watch_returns();
    const gs::ledger_scope scope;
    submission_->run();
    wait_for_gpu();
    reply_.account = scope.account();
    for (std::size_t k = 0; exchange && k < arrays_.size(); ++k) reply_.lacking_bytes[k] = border_.lacking_bytes(k);
  }

  void run_inspected() {
    const watch_scope watched(&border_);
    border_.watch_returns();
    const gs::ledger_scope scope;
    gs::inspect_options options = gs::inspect_options::from_environment();
    options.hidden_accesses = true;
    const auto call = [&] {
      submission_->run();
      for (std::size_t k = 0; k < arrays_.size(); ++k) reply_.used_bytes[k] = border_.used_bytes(k);
    };
    const gs::inspection found = gs::inspect(call, options);
    reply_.account = scope.account();
    json_ = workbook::inspection_json(found).dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
    if (found.failure) std::rethrow_exception(found.failure);
  }

  void deliver() {
    submission_->deliver();
    std::fflush(nullptr);
  }

  void say(const std::exception_ptr& failure) {
    try {
      std::rethrow_exception(failure);
    } catch (const wrong_shape& e) {
      say(outcome::wrong_shape, e.what());
    } catch (const std::bad_alloc&) {
      say(outcome::out_of_memory, "std::bad_alloc");
    } catch (const gs::machine_error& e) {
      const bool no_memory = e.asked().find("of memory on device") != std::string::npos;
      say(no_memory ? outcome::out_of_memory : outcome::exception, e.what());
    } catch (const std::exception& e) {
      say(outcome::exception, e.what());
    } catch (...) {
      say(outcome::exception, "of a type not derived from std::exception");
    }
  }
  void say(runner::outcome outcome, const std::string& text) {
    reply_.outcome = outcome;
    text.copy(reply_.text.data(), reply_.text.size() - 1);
  }

  std::string module_;
  mapping inputs_, outputs_;
  submission* submission_ = nullptr;
  std::vector<argument> arrays_;
  std::vector<double> numbers_;
  border border_;
  bool watches_ = false;
  reply reply_;
  std::string json_;
};

// As many as the runtime will want, at a time. A machine that refuses them would make a right submission fail.
bool can_start_threads() {
  static std::atomic<bool> all_there = false;
  pthread_attr_t small;
  pthread_attr_init(&small);
  pthread_attr_setstacksize(&small, std::size_t{64} << 10);  // eight megabytes each would count as the submission's
  std::vector<pthread_t> threads(std::max(1u, std::thread::hardware_concurrency()));
  int status = 0;
  std::size_t started = 0;
  for (; started < threads.size() && status == 0; started += status == 0)
    status = pthread_create(
        &threads[started], &small,
        [](void*) -> void* {
          all_there.wait(false);
          return nullptr;
        },
        nullptr);
  all_there = true;
  all_there.notify_all();
  for (std::size_t k = 0; k < started; ++k) pthread_join(threads[k], nullptr);
  pthread_attr_destroy(&small);
  if (status != 0) std::fprintf(stderr, "this machine starts no more threads (%s)\n", strerrordesc_np(status));
  return status == 0;
}

int serve(const char* module) {
  const mapping inputs = map(inputs_fd, PROT_READ), outputs = map(outputs_fd, PROT_READ | PROT_WRITE);
  if (!inputs.begin || !outputs.begin) {
    std::fprintf(stderr, "gridstride-runner: only the grader can start it, with shared memory and a channel\n");
    return 2;
  }
  if (!can_start_threads()) return 3;
  const auto begin = reinterpret_cast<std::uintptr_t>(inputs.begin);
  report_crashes({begin, begin + inputs.bytes});
  gs::detail::leave_access_violations();
  give_up_calls();
  module_file = module;
  gs::detail::find_lines_by(&ask_for_lines);
  session conversation(module, inputs, outputs);
  conversation.send_all();  // unasked: the sandbox stands
  request r;
  while (true) {
    const ssize_t n = recv(channel_fd, &r, sizeof r, 0);
    if (n < 0 && errno == EINTR) continue;
    if (n != static_cast<ssize_t>(sizeof r)) return 0;  // the grader is gone
    answer_with(r.nonce);
    asked_nonce = r.nonce;
    conversation.answer(r);
  }
}

}  // namespace
}  // namespace runner

int main(int argc, char** argv) {
  if (argc != 2) {
    std::fprintf(stderr, "usage: gridstride-runner MODULE | --device\n");
    return 2;
  }
  return std::string_view(argv[1]) == "--device" ? runner::name_device() : runner::serve(argv[1]);
}
