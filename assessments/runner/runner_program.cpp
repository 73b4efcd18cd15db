// gridstride-runner MODULE: the process that a submission runs in. Answers the grader's requests on descriptor 3;
// message.h says how. Started in a sandbox, and trusted with nothing.

#include <dlfcn.h>
#include <errno.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <exception>
#include <new>
#include <nlohmann/json.hpp>
#include <stdexcept>
#include <string>
#include <vector>

#include "assessments/runner/crash_handler.h"
#include "assessments/runner/entry.h"
#include "assessments/runner/message.h"
#include "runtime/core/error.h"
#include "runtime/core/ledger.h"
#include "runtime/instruments/inspect.h"
#include "workbook/json/inspection_json.h"

namespace runner {
namespace {

// What the sandbox had to leave to this program and a submission doesn't need: starting programs, and shared memory,
// which no limit counts. (seccomp(2): of two filters the stricter one holds.)
void give_up_calls() {
#if GRIDSTRIDE_CUDA
  constexpr std::uint32_t shared_memory = SECCOMP_RET_ALLOW;  // a GPU's driver maps its devices
#else
  constexpr std::uint32_t shared_memory = SECCOMP_RET_ERRNO | EPERM;
#endif
  sock_filter steps[] = {
      BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(seccomp_data, nr)),
      BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_execve, 5, 0),
      BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_execveat, 4, 0),
      BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_mmap, 0, 2),
      BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(seccomp_data, args) + 3 * sizeof(std::uint64_t)),  // its flags
      BPF_JUMP(BPF_JMP | BPF_JSET | BPF_K, MAP_SHARED, 2, 0),
      BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
      BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_TRAP),
      BPF_STMT(BPF_RET | BPF_K, shared_memory),
  };
  const sock_fprog filter{.len = sizeof steps / sizeof *steps, .filter = steps};
  prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &filter);  // refused where no sandbox came before, as in a debugger
}

struct mapping {
  std::byte* begin = nullptr;
  std::size_t bytes = 0;
};

mapping map(int descriptor, int protection) {
  struct stat what {};
  if (fstat(descriptor, &what) != 0) return {};
  const auto bytes = static_cast<std::size_t>(what.st_size);
  void* mapped = mmap(nullptr, bytes, protection, MAP_SHARED, descriptor, 0);
  return mapped == MAP_FAILED ? mapping{} : mapping{static_cast<std::byte*>(mapped), bytes};
}

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
    constexpr std::size_t packet = 1 << 16;
    for (std::size_t at = 0; at < json_.size(); at += packet)
      send(channel_fd, json_.data() + at, std::min(packet, json_.size() - at), MSG_NOSIGNAL);
  }

 private:
  void take(const request& r) {
    switch (r.step) {
      case step::load:
        return load();
      case step::prepare:
        return prepare(r);
      case step::run:
        return r.inspect ? run_inspected() : run();
      case step::deliver:
        return deliver();
    }
  }

  void load() {
    void* handle = dlopen(module_.c_str(), RTLD_NOW | RTLD_LOCAL);
    if (!handle) throw std::runtime_error(dlerror());
    void* entry = dlsym(handle, "gridstride_submission");
    if (!entry) throw std::runtime_error("the module has no entry gridstride_submission");
    report_calls_of(entry);
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
    // The first touch of a page costs more than most loops over it, and is none of the submission's.
    madvise(inputs_.begin, r.inputs_bytes, MADV_POPULATE_READ);
    madvise(outputs_.begin, r.outputs_bytes, MADV_POPULATE_WRITE);
    submission_->prepare({arrays_, numbers_});
  }

  void run() {
    const gs::ledger_scope scope;
    submission_->run();
    reply_.account = scope.account();
  }

  void run_inspected() {
    const gs::ledger_scope scope;
    const gs::inspection found = gs::inspect([&] { submission_->run(); });
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
      say(outcome::exception, "of a type that isn't derived from std::exception");
    }
  }
  void say(runner::outcome what, const std::string& text) {
    reply_.outcome = what;
    text.copy(reply_.text.data(), reply_.text.size() - 1);
  }

  std::string module_;
  mapping inputs_, outputs_;
  submission* submission_ = nullptr;
  std::vector<argument> arrays_;
  std::vector<double> numbers_;
  reply reply_;
  std::string json_;
};

int serve(const char* module) {
  const mapping inputs = map(inputs_fd, PROT_READ), outputs = map(outputs_fd, PROT_READ | PROT_WRITE);
  if (!inputs.begin || !outputs.begin) {
    std::fprintf(stderr, "gridstride-runner: it is started by the grader, which gives it memory and a channel\n");
    return 2;
  }
  const auto begin = reinterpret_cast<std::uintptr_t>(inputs.begin);
  report_crashes({begin, begin + inputs.bytes});
  give_up_calls();
  session one(module, inputs, outputs);
  one.send_all();  // unasked: the sandbox stands
  request r;
  while (true) {
    const ssize_t n = recv(channel_fd, &r, sizeof r, 0);
    if (n < 0 && errno == EINTR) continue;
    if (n != static_cast<ssize_t>(sizeof r)) return 0;  // the grader is gone
    answer_with(r.nonce);
    one.answer(r);
  }
}

}  // namespace
}  // namespace runner

int main(int argc, char** argv) {
  if (argc != 2) {
    std::fprintf(stderr, "usage: gridstride-runner MODULE\n");
    return 2;
  }
  return runner::serve(argv[1]);
}
