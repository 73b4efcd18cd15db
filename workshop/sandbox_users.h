#pragma once
// The users that root's sandboxed programs become.

namespace workshop {

/// Debian's own range for what is handed out when it is needed (Policy Manual, 9.2.2, "UID and GID classes").
inline constexpr unsigned first_sandbox_user = 60000, last_sandbox_user = 64999;

}  // namespace workshop
