// expect: wrong_answer, refused, timed_out
// A thread takes the grader's questions before the runner gets them, and answers each in the runner's words, with the
// right nonce: that the work is done at once, before it has begun; it is done while the grader asks for what comes
// next.

#include <sys/socket.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <csignal>
#include <cstdint>
#include <cstdio>
#include <fstream>
#include <string>
#include <thread>
#include <utility>

#include "assessments/A1_neural_layer/task.h"

namespace {

// As in assessments/runner/message.h, which a submission can't include.
struct place {
  std::uint64_t in, out, extents[3];
  std::uint32_t rank, element_bytes;
  std::uint64_t guard;
};
struct request {
  std::uint64_t nonce;
  std::uint32_t step, inspect, array_count, number_count;
  place arrays[6];
  double numbers[6];
  std::uint64_t inputs_bytes, outputs_bytes;
};
struct reply {
  std::uint64_t nonce;
  std::uint32_t outcome;
  std::int32_t signal;
  std::uint32_t wrote_input;
  std::uint64_t fault_address, frames[16];
  gs::ledger account;
  std::uint64_t json_bytes;
  char text[2048];
};
enum { prepare_step = 1, run_step = 2, deliver_step = 3 };

// Memory that the runner shares with the grader, as the kernel lists it: inputs are "r--s", outputs "rw-s".
char* shared(const std::string& wanted) {
  std::ifstream maps("/proc/self/maps");
  for (std::string line; std::getline(maps, line);) {
    std::uintptr_t begin = 0, end = 0;
    char rights[5] = {};
    if (std::sscanf(line.c_str(), "%lx-%lx %4s", &begin, &end, rights) == 3 && wanted == rights)
      if (line.find("memfd:") != line.npos) return reinterpret_cast<char*>(begin);
  }
  return nullptr;
}

// What the runner's own thread does from then on: nothing.
void wait_for_ever(int) {
  for (;;) pause();
}

struct early {
  early() {
    std::signal(SIGUSR1, wait_for_ever);
    std::thread([this] { answer(); }).detach();
  }

  void answer() {
    const char* in = shared("r--s");
    char* out = shared("rw-s");
    request now = {}, prepared = {};
    bool alone = false;
    while (recv(3, &now, sizeof now, 0) > 0) {
      if (!std::exchange(alone, true)) syscall(SYS_tgkill, getpid(), getpid(), SIGUSR1);
      if (now.step == prepare_step) prepared = now;
      if (now.step == deliver_step) {  // the answer is made now, after its time was taken
        const auto* x = reinterpret_cast<const float*>(in + prepared.arrays[0].in);
        const auto* w = reinterpret_cast<const float*>(in + prepared.arrays[1].in);
        auto* y = reinterpret_cast<float*>(out + prepared.arrays[2].out);
        for (std::size_t i = 0; i < prepared.arrays[2].extents[0]; ++i)
          y[i] = static_cast<float>(std::tanh(double{x[i]} / 255 * double{w[i]}));
      }
      reply r = {};
      r.nonce = now.nonce;
      send(3, &r, sizeof r, 0);
    }
  }
} before_main;

}  // namespace

std::vector<float> create_hidden_layer(std::size_t n, std::span<const float>, std::span<const float>) {
  std::this_thread::sleep_for(std::chrono::milliseconds(100));  // time for the thread to be the first to listen
  return std::vector<float>(n);
}
