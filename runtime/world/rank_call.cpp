#include "runtime/world/rank_call.h"

#include <fmt/format.h>
#include <unistd.h>

#include <array>
#include <csignal>
#include <cstring>
#include <filesystem>
#include <string_view>

namespace gs::inline GS_FLAVOUR::detail {
namespace {

constexpr std::array<const char*, 14> type_names = {"",        "int8",        "int16",     "int32",     "int64",
                                                    "uint8",   "uint16",      "uint32",    "uint64",    "float32",
                                                    "float64", "long double", "complex64", "complex128"};

// Text that is put together in a signal's handler: nothing is allocated.
class handler_text {
 public:
  handler_text& operator<<(const char* text) {
    for (; *text && size_ < text_.size(); ++text) text_[size_++] = *text;
    return *this;
  }
  handler_text& operator<<(unsigned number) {
    char digits[12];
    std::size_t first = sizeof digits - 1;
    digits[first] = 0;
    do digits[--first] = static_cast<char>('0' + number % 10);
    while ((number /= 10) > 0);
    return *this << digits + first;
  }
  void write() const { static_cast<void>(!::write(STDERR_FILENO, text_.data(), size_)); }

 private:
  std::array<char, 512> text_{};
  std::size_t size_ = 0;
};

unsigned own_rank = 0, all_ranks = 0;
using signal_handler = void (*)(int);
signal_handler handler_before = SIG_DFL;

}  // namespace

bool is_receive(const rank_call& call) { return std::string_view(call.verb).ends_with("receive"); }
bool is_message(const rank_call& call) { return is_receive(call) || std::string_view(call.verb).ends_with("send"); }

std::string to_text(const rank_place& place) {
  return fmt::format("{}:{}", std::filesystem::path(place.file_name()).filename().string(), place.line());
}

std::string to_text(const rank_call& call) {
  if (!is_message(call) && call.peer < 0) return call.verb;
  if (call.verb == std::string_view("put")) return fmt::format("put to rank {}", call.peer);
  if (!is_message(call)) return fmt::format("{} from rank {}", call.verb, call.peer);
  const std::string peer = call.peer < 0 ? "any rank" : fmt::format("rank {}", call.peer);
  const std::string tag = call.tag == 0 ? "" : call.tag < 0 ? " (any tag)" : fmt::format(" (tag {})", call.tag);
  return fmt::format("{} {} {}{}", call.verb, is_receive(call) ? "from" : "to", peer, tag);
}

std::string elements_text(const operand& memory) {
  const std::string type = memory.type == number_type::none ? fmt::format("elements of {} bytes", memory.element_bytes)
                                                            : type_names.at(static_cast<std::size_t>(memory.type));
  return fmt::format("{} {}", memory.count, type);
}

void waiting_note::tell(int signal) {
  if (const rank_call* call = current_) {
    const char* const slash = std::strrchr(call->place.file_name(), '/');
    handler_text text;
    text << "rank " << own_rank << " of " << all_ranks << " waited at " << (slash ? slash + 1 : call->place.file_name())
         << ":" << call->place.line() << " in " << call->verb;
    if (call->peer >= 0)
      text << (is_message(*call) && !is_receive(*call) ? " to rank " : " from rank ")
           << static_cast<unsigned>(call->peer);
    (text << "\n").write();
  }
  std::signal(signal, handler_before);
  std::raise(signal);
}

void waiting_note::tell_at_the_end(int rank, int size) {
  own_rank = static_cast<unsigned>(rank), all_ranks = static_cast<unsigned>(size);
  handler_before = std::signal(SIGTERM, tell);
}

}  // namespace gs::inline GS_FLAVOUR::detail
