// expect: wrong_answer, refused, timed_out
// A thread takes the grader's questions before the runner gets them, and answers each in the runner's words, with the
// right nonce: that the work is done at once, before it has begun; it is done while the grader asks for what comes
// next.

#include <sys/mman.h>
#include <sys/socket.h>

#include <thread>

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

struct early {
  early() {
    std::thread([this] { answer(); }).detach();
  }

  void answer() {
    constexpr std::size_t most = 1 << 20;
    auto* in = static_cast<const char*>(mmap(nullptr, most, PROT_READ, MAP_SHARED, 4, 0));
    auto* out = static_cast<char*>(mmap(nullptr, most, PROT_READ | PROT_WRITE, MAP_SHARED, 5, 0));
    request now = {}, prepared = {};
    while (recv(3, &now, sizeof now, 0) > 0) {
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
