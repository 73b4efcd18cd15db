// The transport of a world of one. What the rank sends to itself waits in its group's mailbox.

#include <cstdio>
#include <cstring>
#include <deque>
#include <list>
#include <memory>
#include <vector>

#include "runtime/world/transport.h"

namespace gs::inline GS_FLAVOUR::detail {
namespace one_rank {
namespace {

using handle = transport_handle;

enum failure : int { fine = 0, nothing_sent = 1, message_is_longer = 2 };

struct pending_message {  // sent and not received, or to be received
  operand memory;
  int tag;
  std::vector<unsigned char> copy;  // of what was sent
  receipt came{};
  bool done = false;
  failure result = fine;
};
using message = std::shared_ptr<pending_message>;

struct one_rank_group {
  std::deque<message> sent;
  std::list<message> wanted;
};

one_rank_group& group_of(handle group) { return *reinterpret_cast<one_rank_group*>(group); }  // NOLINT
one_rank_group& all_of_us() {
  static one_rank_group group;
  return group;
}

bool fits(int wanted_tag, int tag) { return wanted_tag < 0 || wanted_tag == tag; }

void deliver(pending_message& sent, pending_message& wanted) {
  wanted.came = {0, sent.tag, sent.copy.size()};
  if (sent.copy.size() > wanted.memory.bytes())
    wanted.result = message_is_longer;
  else if (!sent.copy.empty())
    std::memcpy(wanted.memory.data, sent.copy.data(), sent.copy.size());
  sent.done = wanted.done = true;
}

handle kept(message m) { return reinterpret_cast<handle>(new message(std::move(m))); }  // NOLINT
message& kept_message(handle pending) { return *reinterpret_cast<message*>(pending); }  // NOLINT

// A verb of all ranks is done when it returns.
int done_at_once(handle* pending) {
  if (pending) {
    *pending = kept(std::make_shared<pending_message>());
    kept_message(*pending)->done = true;
  }
  return fine;
}
void copy_to(void* to, const operand& from) {
  if (from.bytes() > 0 && to != from.data) std::memcpy(to, from.data, from.bytes());
}

int start() { return fine; }
int finish() { return fine; }
void end_all(int) {}
void describe(int code, char* text, std::size_t bytes) {
  std::snprintf(text, bytes, "%s",
                code == nothing_sent        ? "this is the only rank, and has sent itself no such message"
                : code == message_is_longer ? "the message is longer"
                                            : "nothing is wrong");
}
bool takes_device_pointers() { return false; }

handle everybody() { return reinterpret_cast<handle>(&all_of_us()); }  // NOLINT
int size(handle) { return 1; }
int rank(handle) { return 0; }
int duplicate(handle, handle* made) { return *made = reinterpret_cast<handle>(new one_rank_group), fine; }  // NOLINT
int split(handle group, int, int, handle* made) { return duplicate(group, made); }
int split_by_machine(handle group, handle* made) { return duplicate(group, made); }
void release(handle group) {
  if (&group_of(group) != &all_of_us()) delete &group_of(group);
}

int send(handle group, const operand& x, int, int tag, bool synchronous, handle* pending) {
  one_rank_group& us = group_of(group);
  const auto* const bytes = static_cast<const unsigned char*>(x.data);
  auto sent = std::make_shared<pending_message>(pending_message{x, tag, {}});
  sent->copy.assign(bytes, bytes + x.bytes());
  for (auto wanted = us.wanted.begin(); wanted != us.wanted.end(); ++wanted)
    if (fits((*wanted)->tag, tag)) {
      deliver(*sent, **wanted);
      us.wanted.erase(wanted);
      break;
    }
  if (!sent->done) us.sent.push_back(sent);
  if (!synchronous) sent->done = true;
  if (pending) *pending = kept(sent);
  return fine;
}

// Delivers a message that lies in the mailbox.
bool take_sent(one_rank_group& us, pending_message& wanted) {
  for (auto sent = us.sent.begin(); sent != us.sent.end(); ++sent)
    if (fits(wanted.tag, (*sent)->tag)) {
      deliver(**sent, wanted);
      us.sent.erase(sent);
      return true;
    }
  return false;
}

int receive(handle group, const operand& x, int, int tag, receipt* came, handle* pending) {
  auto wanted = std::make_shared<pending_message>(pending_message{x, tag, {}});
  const bool is_here = take_sent(group_of(group), *wanted);
  if (pending) {
    if (!is_here) group_of(group).wanted.push_back(wanted);
    *pending = kept(wanted);
    return fine;
  }
  if (!is_here) return nothing_sent;
  *came = wanted->came;
  return wanted->result;
}

int probe(handle group, int, int tag, bool* found, receipt* comes, handle* taken) {
  auto& sent = group_of(group).sent;
  for (auto m = sent.begin(); m != sent.end(); ++m)
    if (fits(tag, (*m)->tag)) {
      *comes = {0, (*m)->tag, (*m)->copy.size()};
      *taken = kept(*m);
      sent.erase(m);
      if (found) *found = true;
      return fine;
    }
  if (!found) return nothing_sent;
  *found = false;
  return fine;
}
int receive_probed(handle* taken, const operand& x) {
  pending_message wanted{x, -1, {}};
  deliver(*kept_message(*taken), wanted);
  delete &kept_message(*taken);
  return wanted.result;
}

int test(handle* pending, bool* done, receipt* came) {
  message& m = kept_message(*pending);
  *done = m->done;
  if (!m->done) return fine;
  if (came) *came = m->came;
  const int result = m->result;
  delete &m;
  return result;
}
int wait(handle* pending, receipt* came) {
  bool done = false;
  const int code = test(pending, &done, came);
  return done ? code : nothing_sent;
}

int barrier(handle, handle* pending) { return done_at_once(pending); }
int broadcast(handle, const operand&, int, handle* pending) { return done_at_once(pending); }
int reduce(handle, const operand& from, void* to, const combination&, int, handle* pending) {
  return copy_to(to, from), done_at_once(pending);
}
int scan(handle, const operand& from, void* to, const combination&, handle* pending) {
  return copy_to(to, from), done_at_once(pending);
}
int gather(handle, const operand& from, void* to, const part_counts&, int, handle* pending) {
  return copy_to(to, from), done_at_once(pending);
}
int scatter(handle, const void* from, const part_counts&, const operand& to, int, handle* pending) {
  if (to.bytes() > 0 && from != to.data) std::memcpy(to.data, from, to.bytes());
  return done_at_once(pending);
}
int alltoall(handle, const operand& from, const std::size_t*, void* to, const std::size_t*, handle* pending) {
  return copy_to(to, from), done_at_once(pending);
}

int make_window(handle, std::size_t bytes, void** memory, handle* made) {
  *memory = new unsigned char[bytes]();
  *made = reinterpret_cast<handle>(*memory);  // NOLINT
  return fine;
}
unsigned char* bytes_of(handle window) { return reinterpret_cast<unsigned char*>(window); }  // NOLINT
void release_window(handle window) { delete[] bytes_of(window); }
int put(handle window, const operand& x, int, std::size_t offset) {
  if (x.count > 0) std::memmove(bytes_of(window) + offset, x.data, x.bytes());
  return fine;
}
int get(handle window, const operand& x, int, std::size_t offset) {
  if (x.count > 0) std::memmove(x.data, bytes_of(window) + offset, x.bytes());
  return fine;
}
int settle_window(handle) { return fine; }

}  // namespace
}  // namespace one_rank

const transport& transport_of_one() {
  using namespace one_rank;
  static constexpr transport table{.version = transport::newest_version,
                                   .name = "no MPI",
                                   .start = start,
                                   .finish = finish,
                                   .end_all = end_all,
                                   .describe = describe,
                                   .takes_device_pointers = takes_device_pointers,
                                   .everybody = everybody,
                                   .size = size,
                                   .rank = rank,
                                   .duplicate = duplicate,
                                   .split = split,
                                   .split_by_machine = split_by_machine,
                                   .release = release,
                                   .send = send,
                                   .receive = receive,
                                   .probe = probe,
                                   .receive_probed = receive_probed,
                                   .test = test,
                                   .wait = wait,
                                   .barrier = barrier,
                                   .broadcast = broadcast,
                                   .reduce = reduce,
                                   .scan = scan,
                                   .gather = gather,
                                   .scatter = scatter,
                                   .alltoall = alltoall,
                                   .make_window = make_window,
                                   .release_window = release_window,
                                   .put = put,
                                   .get = get,
                                   .settle_window = settle_window};
  return table;
}

}  // namespace gs::inline GS_FLAVOUR::detail
