#include "runtime/world/rank_group.h"

#include <fmt/format.h>

#include <numeric>
#include <string_view>

#include "runtime/core/error.h"
#include "runtime/world/message_ledger.h"
#include "runtime/world/patience.h"

namespace gs::inline GS_FLAVOUR::detail {
namespace {

constexpr std::size_t description_bytes = 512;

std::string description_of(const transport& library, int code) {
  char text[description_bytes] = "";
  library.describe(code, text, sizeof text);
  return text;
}

const std::size_t* data_or_null(std::span<const std::size_t> counts) {
  return counts.empty() ? nullptr : counts.data();
}

count_rule rule_of(bool even) { return even ? count_rule::alike : count_rule::free; }

constexpr int largest_tag = 32767;  // that MPI promises

}  // namespace

std::size_t sum_of(std::span<const std::size_t> counts) {
  return std::accumulate(counts.begin(), counts.end(), std::size_t{0});
}

rank_group::rank_group(const transport& library, handle ranks)
    : library_(library), ranks_(ranks), rank_(library.rank(ranks)), size_(library.size(ranks)) {
  if constexpr (ranks_are_watched) watch_ = std::make_unique<group_watch>(library, ranks);
}

rank_group::~rank_group() {
  watch_.reset();
  library_.release(ranks_);
}

void rank_group::fail(const rank_call& call, const std::string& found, const std::string& advice) const {
  throw error(fmt::format("{} on rank {} of {}, at {}", to_text(call), rank_, size_, to_text(call.place)), found,
              advice);
}

void rank_group::check_code(int code, const rank_call& call) const {
  if (code == 0) return;
  constexpr std::size_t most = 2147483647;
  const char* advice = "see what the other ranks say";
  if (is_receive(call)) advice = "send such a message first, and receive it into an array of its size";
  if (call.memory.count > most) advice = "send at most 2147483647 elements at a time";
  fail(call, fmt::format("{} says: {}", library_.name, description_of(library_, code)), advice);
}

group_watch::failure rank_group::failure_of(const rank_call& call) const {
  return [this, &call](const std::string& found, const std::string& advice) { fail(call, found, advice); };
}

void rank_group::check_root(const char* verb, int root, const rank_place& place) const {
  if (root < 0 || root >= size_)
    fail({verb, place}, fmt::format("the root is rank {}", root), fmt::format("use a rank of 0 to {}", size_ - 1));
}

void rank_group::check_peer(const rank_call& call) const {
  const bool receives = is_receive(call);
  if (call.peer >= size_ || call.peer < (receives ? -1 : 0))
    fail({call.verb, call.place}, fmt::format("the other rank is {}", call.peer),
         fmt::format("use a rank of 0 to {}{}", size_ - 1, receives ? ", or gs::any_rank" : ""));
  if (call.tag < (receives ? -1 : 0) || call.tag > largest_tag)
    fail({call.verb, call.place}, fmt::format("the tag is {}", call.tag),
         fmt::format("use one of 0 to {}", largest_tag));
}

void rank_group::check_output(const char* verb, std::size_t wanted, std::size_t found, const rank_place& place) const {
  if (wanted != found)
    fail({verb, place}, fmt::format("the result has {} elements and the output {}", wanted, found),
         "give an output of that size, or none");
}

void rank_group::check_parts(const char* verb, std::size_t elements, const rank_place& place) const {
  if (elements % static_cast<std::size_t>(size_) != 0)
    fail({verb, place}, fmt::format("{} elements have no {} equal parts", elements, size_),
         "give the counts of the parts as well");
}

void rank_group::check_size(const receipt& came, const rank_call& call) const {
  if (came.bytes == call.memory.bytes()) return;
  const std::string message = came.bytes % call.memory.element_bytes == 0
                                  ? fmt::format("{} elements", came.bytes / call.memory.element_bytes)
                                  : fmt::format("{} bytes", came.bytes);
  fail(call, fmt::format("the message has {} and the array {}", message, elements_text(call.memory)),
       "receive into an array of its size, or let receive<std::vector<T>> make one");
}

// What all verbs have in common: `start` makes the call, or begins it where it is given a handle.
template <class Start>
void rank_group::run(const rank_call& call, std::size_t sent, std::size_t received, Start start, count_rule counts,
                     receipt* came) const {
  const waiting_note waits(call);
  message_ledger_entry::call(call, sent, received);
  if constexpr (ranks_are_watched) {
    const group_watch::failure failed = failure_of(call);
    if (!is_message(call)) watch_->agree(call, counts, failed);
    handle pending{};
    check_code(start(&pending), call);
    check_code(watch_->finish(pending, call, came, failed), call);
  } else {
    check_code(start(nullptr), call);
  }
}

void rank_group::send(const operand& x, int to, int tag, const rank_place& place) const {
  const rank_call call{"send", place, to, tag, x};
  check_peer(call);
  run(call, x.bytes(), 0,
      [&](handle* pending) { return library_.send(ranks_, x, to, tag, ranks_are_watched, pending); });
}

receipt rank_group::receive(const operand& x, int from, int tag, const rank_place& place) const {
  const rank_call call{"receive", place, from, tag, x};
  check_peer(call);
  receipt came;
  run(
      call, 0, x.bytes(), [&](handle* pending) { return library_.receive(ranks_, x, from, tag, &came, pending); },
      count_rule::alike, &came);
  check_size(came, call);
  return came;
}

// A message that has come and been looked at.
receipt rank_group::take(rank_call call, const receipt& comes, handle message,
                         function_ref<void*(std::size_t count)> room) const {
  const std::size_t element_bytes = call.memory.element_bytes;
  if (comes.bytes % element_bytes != 0)
    fail(call, fmt::format("the message has {} bytes and an element {}", comes.bytes, element_bytes),
         "receive elements of the type that was sent");
  call.memory.count = comes.bytes / element_bytes;
  call.memory.data = room(call.memory.count);
  message_ledger_entry::call(call, 0, comes.bytes);
  check_code(library_.receive_probed(&message, call.memory), call);
  return comes;
}

receipt rank_group::receive_any_size(const operand& element, int from, int tag,
                                     function_ref<void*(std::size_t count)> room, const rank_place& place) const {
  const rank_call call{"receive", place, from, tag, element};
  check_peer(call);
  const waiting_note waits(call);
  receipt comes;
  handle message{};
  if constexpr (ranks_are_watched)
    check_code(watch_->probe(call, &comes, &message, failure_of(call)), call);
  else
    check_code(library_.probe(ranks_, from, tag, nullptr, &comes, &message), call);
  return take(call, comes, message, room);
}

std::optional<receipt> rank_group::receive_if_any(const operand& element, int from, int tag,
                                                  function_ref<void*(std::size_t count)> room,
                                                  const rank_place& place) const {
  const rank_call call{"receive", place, from, tag, element};
  bool found = false;
  receipt comes;
  handle message{};
  check_code(library_.probe(ranks_, from, tag, &found, &comes, &message), call);
  if (!found) return std::nullopt;
  return take(call, comes, message, room);
}

receipt rank_group::receive_patiently(const operand& element, int from, int tag,
                                      function_ref<void*(std::size_t count)> room, const rank_place& place) const {
  if constexpr (ranks_are_watched) return receive_any_size(element, from, tag, room, place);
  const rank_call call{"receive", place, from, tag, element};
  const waiting_note waits(call);
  for (unsigned looks = 0;; pause_after(looks++))
    if (const auto came = receive_if_any(element, from, tag, room, place)) return *came;
}

void rank_group::meet(const rank_call& call) const {
  run(call, 0, 0, [&](handle* pending) { return library_.barrier(ranks_, pending); });
}

void rank_group::broadcast(const char* verb, const operand& x, int root, const rank_place& place) const {
  check_root(verb, root, place);
  const bool sends = rank_ == root;
  run({verb, place, root, -1, x}, sends ? x.bytes() : 0, sends ? 0 : x.bytes(),
      [&](handle* pending) { return library_.broadcast(ranks_, x, root, pending); });
}

void rank_group::reduce(const char* verb, const operand& from, void* to, const combination& how, int root,
                        const rank_place& place) const {
  run({verb, place, root, -1, from}, from.bytes(), to ? from.bytes() : 0,
      [&](handle* pending) { return library_.reduce(ranks_, from, to, how, root, pending); });
}

void rank_group::scan(const operand& from, void* to, const combination& how, const rank_place& place) const {
  run({"scan", place, -1, -1, from}, from.bytes(), from.bytes(),
      [&](handle* pending) { return library_.scan(ranks_, from, to, how, pending); });
}

void rank_group::gather(const char* verb, const operand& from, void* to, const part_counts& parts, int root,
                        const rank_place& place) const {
  const std::size_t all = parts.even ? from.count * static_cast<std::size_t>(size_) : sum_of(parts.of_rank);
  run(
      {verb, place, root, -1, from}, from.bytes(), to ? all * from.element_bytes : 0,
      [&](handle* pending) { return library_.gather(ranks_, from, to, parts, root, pending); }, rule_of(parts.even));
}

void rank_group::scatter(const char* verb, const void* from, const part_counts& parts, const operand& to, int root,
                         const rank_place& place) const {
  const std::size_t all = parts.even ? to.count * static_cast<std::size_t>(size_) : sum_of(parts.of_rank);
  run(
      {verb, place, root, -1, to}, rank_ == root ? all * to.element_bytes : 0, to.bytes(),
      [&](handle* pending) { return library_.scatter(ranks_, from, parts, to, root, pending); }, rule_of(parts.even));
}

void rank_group::alltoall(const char* verb, const operand& from, std::span<const std::size_t> counts_from, void* to,
                          std::span<const std::size_t> counts_to, const rank_place& place) const {
  const std::size_t all = counts_to.empty() ? from.count : sum_of(counts_to);
  run(
      {verb, place, -1, -1, from}, from.bytes(), all * from.element_bytes,
      [&](handle* pending) {
        return library_.alltoall(ranks_, from, data_or_null(counts_from), to, data_or_null(counts_to), pending);
      },
      rule_of(counts_from.empty()));
}

std::shared_ptr<rank_group> rank_group::split(int colour, int key, const rank_place& place) const {
  const rank_call call{"split", place};
  if (colour < 0) fail(call, fmt::format("the colour is {}", colour), "use 0 or more");
  const waiting_note waits(call);
  if constexpr (ranks_are_watched) watch_->agree(call, count_rule::alike, failure_of(call));
  handle made{};
  check_code(library_.split(ranks_, colour, key, &made), call);
  return std::make_shared<rank_group>(library_, made);
}

std::shared_ptr<rank_group> rank_group::split_by_machine(const rank_place& place) const {
  const rank_call call{"split_by_machine", place};
  const waiting_note waits(call);
  if constexpr (ranks_are_watched) watch_->agree(call, count_rule::alike, failure_of(call));
  handle made{};
  check_code(library_.split_by_machine(ranks_, &made), call);
  return std::make_shared<rank_group>(library_, made);
}

std::shared_ptr<rank_group> rank_group::duplicate(const char* verb, const rank_place& place) const {
  const rank_call call{verb, place};
  const waiting_note waits(call);
  if constexpr (ranks_are_watched) watch_->agree(call, count_rule::alike, failure_of(call));
  handle made{};
  check_code(library_.duplicate(ranks_, &made), call);
  return std::make_shared<rank_group>(library_, made);
}

// --- calls that return at once ---------------------------------------------------------------------------------------

rank_group::handle rank_group::start_send(const rank_call& call) const {
  check_peer(call);
  message_ledger_entry::call(call, call.memory.bytes(), 0);
  handle pending{};
  check_code(library_.send(ranks_, call.memory, call.peer, call.tag, ranks_are_watched, &pending), call);
  return pending;
}

rank_group::handle rank_group::start_receive(const rank_call& call) const {
  check_peer(call);
  message_ledger_entry::call(call, 0, call.memory.bytes());
  handle pending{};
  check_code(library_.receive(ranks_, call.memory, call.peer, call.tag, nullptr, &pending), call);
  return pending;
}

rank_group::handle rank_group::start_broadcast(const rank_call& call) const {
  check_root(call.verb, call.peer, call.place);
  const bool sends = rank_ == call.peer;
  message_ledger_entry::call(call, sends ? call.memory.bytes() : 0, sends ? 0 : call.memory.bytes());
  handle pending{};
  check_code(library_.broadcast(ranks_, call.memory, call.peer, &pending), call);
  if constexpr (ranks_are_watched) watch_->agree_later(call, pending);
  return pending;
}

rank_group::handle rank_group::start_allreduce(const rank_call& call, const combination& how) const {
  message_ledger_entry::call(call, call.memory.bytes(), call.memory.bytes());
  handle pending{};
  check_code(library_.reduce(ranks_, call.memory, call.memory.data, how, -1, &pending), call);
  if constexpr (ranks_are_watched) watch_->agree_later(call, pending);
  return pending;
}

bool rank_group::test(handle& pending, const rank_call& began) const {
  bool done = false;
  receipt came;
  if constexpr (ranks_are_watched)
    check_code(watch_->test(pending, &done, &came, failure_of(began)), began);
  else
    check_code(library_.test(&pending, &done, &came), began);
  if (done && is_receive(began)) check_size(came, began);
  return done;
}

void rank_group::finish(handle& pending, const rank_call& began, const rank_place& place) const {
  rank_call waits_for = began;
  waits_for.place = place;
  const waiting_note waits(waits_for);
  receipt came;
  if constexpr (ranks_are_watched)
    check_code(watch_->finish(pending, waits_for, &came, failure_of(waits_for)), began);
  else
    check_code(library_.wait(&pending, &came), began);
  if (is_receive(began)) check_size(came, began);
}

}  // namespace gs::inline GS_FLAVOUR::detail
