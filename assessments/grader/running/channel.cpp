#include "assessments/grader/running/channel.h"

#include <poll.h>
#include <sys/socket.h>

#include <algorithm>
#include <cerrno>
#include <cstdint>
#include <cstring>
#include <system_error>

#include "runtime/core/error.h"

namespace grader {

using gs::detail::descriptor;

channel::channel() {
  int ends[2];
  if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, ends) != 0)
    throw gs::machine_error("open a channel to a submission", std::system_category().message(errno),
                            "end other programs and try again");
  ours_ = descriptor(ends[0]);
  theirs_ = descriptor(ends[1]);
  const int on = 1;
  setsockopt(ours_.number(), SOL_SOCKET, SO_PASSCRED, &on, sizeof on);
}

bool channel::send(const runner::request& r) {
  return ::send(ours_.number(), &r, sizeof r, MSG_NOSIGNAL | MSG_DONTWAIT) == static_cast<ssize_t>(sizeof r);
}

bool channel::send(std::string_view text) {
  const auto send_bytes = [&](const void* data, std::size_t bytes) {
    return ::send(ours_.number(), data, bytes, MSG_NOSIGNAL | MSG_DONTWAIT) == static_cast<ssize_t>(bytes);
  };
  const std::uint64_t length = text.size();
  if (!send_bytes(&length, sizeof length)) return false;
  constexpr std::size_t packet = 1 << 16;
  // A runner that doesn't read gets only what fits: the grader never waits for it.
  for (; !text.empty(); text.remove_prefix(std::min(packet, text.size())))
    if (pollfd room{ours_.number(), POLLOUT, 0};
        poll(&room, 1, 1000) != 1 || !send_bytes(text.data(), std::min(packet, text.size())))
      return false;
  return true;
}

std::optional<channel::packet> channel::receive(std::span<std::byte> into) {
  iovec place{into.data(), into.size()};
  // Room for the sender alone: descriptors that a submission sends along are closed by the kernel.
  alignas(cmsghdr) std::byte control[CMSG_SPACE(sizeof(ucred))];
  msghdr message{};
  message.msg_iov = &place;
  message.msg_iovlen = 1;
  message.msg_control = control;
  message.msg_controllen = sizeof control;
  const ssize_t n = recvmsg(ours_.number(), &message, MSG_DONTWAIT | MSG_TRUNC | MSG_CMSG_CLOEXEC);
  if (n < 0) {
    if (errno == EAGAIN || errno == EINTR) return std::nullopt;
    return packet{};  // the far end has closed without reading everything
  }
  packet received{.bytes = static_cast<std::size_t>(n)};
  for (cmsghdr* part = CMSG_FIRSTHDR(&message); part; part = CMSG_NXTHDR(&message, part)) {
    if (part->cmsg_level != SOL_SOCKET || part->cmsg_type != SCM_CREDENTIALS) continue;
    ucred sender;
    std::memcpy(&sender, CMSG_DATA(part), sizeof sender);
    received.sender = sender.pid;
  }
  return received;
}

}  // namespace grader
