#include "runtime/instruments/host_loop.h"

#include <algorithm>
#include <unordered_map>

#include "runtime/instruments/places/site_table.h"
#include "runtime/observe/host_loop_watch.h"

#if GRIDSTRIDE_CHECKED

namespace gs::inline GS_FLAVOUR {
namespace instruments {

// Without its model here, a source that sees both declarations would call a function for the address.
[[gnu::tls_model("initial-exec")]] constinit thread_local host_loop_watch* host_loop_watch::here_ = nullptr;

namespace {

class observed_loops final : public host_loop_watch {
 public:
  explicit observed_loops(std::optional<std::size_t> left_out) : left_out_(left_out), outer_(here_) { here_ = this; }
  observed_loops(const observed_loops&) = delete;
  ~observed_loops() { here_ = outer_; }

  void run(std::size_t n, std::size_t grain, detail::function_ref<void(std::size_t, std::size_t)> body) override {
    if (in_piece_) return body(0, n);  // a loop in a piece is part of it
    frame_ = reinterpret_cast<std::uintptr_t>(__builtin_frame_address(0));
    grain = std::max<std::size_t>(grain, 1);
    bytes_.clear();
    for (std::size_t begin = 0; begin < n; begin += std::min(grain, n - begin)) {
      if (pieces_++ == left_out_) continue;
      piece_ = begin;
      const inside piece(in_piece_);
      body(begin, begin + std::min(grain, n - begin));
    }
  }

  void access(std::uintptr_t address, std::size_t bytes, access_kind kind, const void* code) override {
    if (!in_piece_ || frame_ - address < stack_below) return;
    for (std::uintptr_t at = address; at < address + bytes; ++at) {
      uses& seen = bytes_[at];
      const use now{piece_, kind, true};
      const bool changes = kind != access_kind::read;
      for (const use& before : {seen.write, seen.read, seen.last_read})
        if (before.known && before.piece != piece_ && (changes || before.kind != access_kind::read)) {
          add(before, now, code);
          break;
        }
      if (changes)
        seen.write = now;
      else
        (seen.read.known ? seen.last_read : seen.read) = now;
    }
  }

  host_loops result() {
    sites_.resolve();
    host_loops found{pieces_, {}};
    for (shared_variable& one : shared_) {  // a += b reads and writes: two pieces of code, and one line
      one.where = sites_.known(one.where);
      const auto same_line = [&](const shared_variable& other) {
        return other.where.file == one.where.file && other.where.line == one.where.line;
      };
      if (std::ranges::none_of(found.shared, same_line)) found.shared.push_back(one);
    }
    return found;
  }

 private:
  struct use {
    std::size_t piece = 0;
    access_kind kind = access_kind::read;
    bool known = false;
  };
  struct uses {
    use write, read, last_read;
  };
  struct inside {
    explicit inside(bool& flag) : flag_(flag) { flag_ = true; }
    ~inside() { flag_ = false; }
    bool& flag_;
  };
  // What lies below the loop's own frame belongs to the piece: each would have a thread's stack of its own. The stack
  // of a thread isn't larger than this, and nothing else lies so close below it.
  static constexpr std::uintptr_t stack_below = std::uintptr_t{8} << 20;

  void add(const use& before, const use& now, const void* code) {
    const source_place& where = sites_.place(sites_.number_of_code(code));
    if (std::ranges::find(shared_, where, &shared_variable::where) == shared_.end())
      shared_.push_back(
          {where, before.piece, now.piece, before.kind == access_kind::atomic && now.kind == access_kind::atomic});
  }

  const std::optional<std::size_t> left_out_;
  host_loop_watch* const outer_;
  bool in_piece_ = false;
  std::uintptr_t frame_ = 0;
  std::size_t pieces_ = 0, piece_ = 0;
  std::unordered_map<std::uintptr_t, uses> bytes_;
  std::vector<shared_variable> shared_;
  site_table sites_;
};

}  // namespace
}  // namespace instruments

host_loops observe_host_loops(detail::function_ref<void()> body, std::optional<std::size_t> left_out) {
  instruments::observed_loops watch(left_out);
  body();
  return watch.result();
}

}  // namespace gs::inline GS_FLAVOUR

#else

namespace gs::inline GS_FLAVOUR {

host_loops observe_host_loops(detail::function_ref<void()> body, std::optional<std::size_t>) {
  body();
  return {};
}

}  // namespace gs::inline GS_FLAVOUR

#endif
