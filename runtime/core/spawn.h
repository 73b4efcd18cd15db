#pragma once
// What posix_spawn wants, as objects: actions and attributes that are destroyed with their owner, and words as it takes
// them. Each is handed over as it is: posix_spawnp(&id, name, &actions, &attributes, as_c_strings(words).data(), ...).

#include <spawn.h>

#include <string>
#include <vector>

#include "runtime/core/config.h"

namespace gs::inline GS_FLAVOUR {

struct file_actions : posix_spawn_file_actions_t {
  file_actions() { posix_spawn_file_actions_init(this); }
  ~file_actions() { posix_spawn_file_actions_destroy(this); }
  file_actions(const file_actions&) = delete;
  file_actions& operator=(const file_actions&) = delete;
};

struct spawn_attributes : posix_spawnattr_t {
  spawn_attributes() { posix_spawnattr_init(this); }
  ~spawn_attributes() { posix_spawnattr_destroy(this); }
  spawn_attributes(const spawn_attributes&) = delete;
  spawn_attributes& operator=(const spawn_attributes&) = delete;
};

/// The words and the null pointer behind them; valid for as long as `words` isn't changed.
inline std::vector<char*> as_c_strings(std::vector<std::string>& words) {
  std::vector<char*> pointers;
  for (std::string& word : words) pointers.push_back(word.data());
  pointers.push_back(nullptr);
  return pointers;
}

}  // namespace gs::inline GS_FLAVOUR
