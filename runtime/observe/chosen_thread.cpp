#include "runtime/observe/chosen_thread.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cstdio>
#include <cstdlib>
#include <mutex>
#include <vector>

#include "runtime/core/error.h"

namespace gs::inline GS_FLAVOUR::detail {
namespace {

bool is_blank(char c) { return c == ' ' || c == '\t'; }

void skip_blanks(std::string_view& text) {
  while (!text.empty() && is_blank(text.front())) text.remove_prefix(1);
}

// Takes `token` and the blanks around it from the front of `text`.
bool take(std::string_view& text, std::string_view token) {
  skip_blanks(text);
  if (!text.starts_with(token)) return false;
  text.remove_prefix(token.size());
  skip_blanks(text);
  return true;
}

// "3", "3,1" or "3, 1, 2".
std::optional<index3> take_position(std::string_view& text) {
  index3 found;
  unsigned* const extents[] = {&found.x, &found.y, &found.z};
  for (std::size_t d = 0; d < 3 && (d == 0 || take(text, ",")); ++d) {
    const auto [end, status] = std::from_chars(text.data(), text.data() + text.size(), *extents[d]);
    if (status != std::errc{}) return std::nullopt;
    text.remove_prefix(static_cast<std::size_t>(end - text.data()));
  }
  return found;
}

// A word that isn't "block" and no number.
std::string_view take_kernel(std::string_view& text) {
  skip_blanks(text);
  const std::string_view word = text.substr(0, text.find_first_of(" \t"));
  if (word.empty() || word == "block" || (word[0] >= '0' && word[0] <= '9')) return "";
  text.remove_prefix(word.size());
  return word;
}

std::optional<chosen_thread> read(std::string_view text) {
  chosen_thread chosen;
  chosen.kernel = take_kernel(text);
  const bool in_words = take(text, "block");
  const auto block = take_position(text);
  if (!block || !take(text, in_words ? "thread" : ":")) return std::nullopt;
  const auto thread = take_position(text);
  skip_blanks(text);
  if (!thread || !text.empty()) return std::nullopt;
  chosen.block = *block;
  chosen.thread = *thread;
  return chosen;
}

}  // namespace

chosen_thread parse_chosen_thread(std::string_view text) {
  if (auto chosen = read(text)) return *chosen;
  throw error("GRIDSTRIDE_STEP", fmt::format("'{}'", text),
              "write 'block 3 thread 17' or '3,0,0:17,0,0', with the kernel's name in front if there are several");
}

std::optional<chosen_thread> chosen_thread_from_environment() {
  const char* text = std::getenv("GRIDSTRIDE_STEP");
  if (!text || !*text) return std::nullopt;
  return parse_chosen_thread(text);
}

}  // namespace gs::inline GS_FLAVOUR::detail

// The empty statement keeps the call: without it, the compiler sees that nothing happens.
[[gnu::noinline]] void gs_chosen_thread_begins() { asm volatile(""); }

#if GRIDSTRIDE_CHECKED
namespace gs::inline GS_FLAVOUR::instruments {
namespace {
constexpr unsigned no_thread = ~0u;
thread_local unsigned chosen_here = no_thread;

// Whether the chosen thread was there; if not, the program says so when it ends. Blocks run one after the other where
// one is chosen.
class search {
 public:
  ~search() {
    if (found_ || launched_.empty()) return;
    fmt::print(stderr, "GRIDSTRIDE_STEP: no launched kernel had the chosen thread; there were {}.\n",
               fmt::join(launched_, ", "));
  }
  void note(std::string_view kernel, bool found) {
    const std::scoped_lock lock(mutex_);  // blocks of a cooperative launch run side by side
    found_ |= found;
    if (launched_.size() < 20 && std::ranges::find(launched_, kernel) == launched_.end())
      launched_.emplace_back(kernel);
  }

 private:
  std::mutex mutex_;
  bool found_ = false;
  std::vector<std::string> launched_;
};
}  // namespace

void look_for_chosen_thread(const std::optional<detail::chosen_thread>& chosen, std::string_view kernel,
                            const index3& block_idx, const index3& block_dim) {
  const bool is_here = chosen && chosen->is(kernel, block_idx, chosen->thread) && chosen->thread.x < block_dim.x &&
                       chosen->thread.y < block_dim.y && chosen->thread.z < block_dim.z;
  if (chosen) {
    static search of_program;
    of_program.note(kernel, is_here);
  }
  chosen_here = is_here ? static_cast<unsigned>(chosen->thread.linear_in(block_dim)) : no_thread;
}
bool is_chosen_thread(unsigned number) { return number == chosen_here; }

}  // namespace gs::inline GS_FLAVOUR::instruments
#endif
