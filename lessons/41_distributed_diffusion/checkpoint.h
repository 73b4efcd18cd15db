#pragma once
// A checkpoint: the field after some step, in a folder, a file for each rank that wrote it. A file has its name from
// the moment at which it is whole and on the disk, so a program that is killed while it writes leaves the last
// checkpoint as it was.

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <map>
#include <span>
#include <string>
#include <system_error>
#include <vector>

#include "lessons/41_distributed_diffusion/parts.h"
#include "runtime/core/error.h"

namespace checkpoint {

namespace fs = std::filesystem;

/// What a file begins with; the part's cells follow, row by row. `sum` is a checksum of all that comes after it.
struct header {
  char format[8] = {'g', 's', 'f', 'i', 'e', 'l', 'd', '1'};
  std::uint64_t sum = 0;
  std::uint64_t step = 0, rows = 0, columns = 0, seed = 0;
  double rate = 0;
  std::uint64_t ranks = 0, rank = 0, top = 0, left = 0, part_rows = 0, part_columns = 0;

  parts::rectangle part() const { return {.top = top, .left = left, .rows = part_rows, .columns = part_columns}; }
};
static_assert(sizeof(header) == 13 * 8, "the header has no gaps, whose bytes would be anything");

/// A checkpoint by its files' names.
struct set {
  std::uint64_t step = 0, ranks = 0;
};

inline fs::path file_of(const fs::path& folder, const set& s, std::uint64_t rank) {
  return folder /
         ("step_" + std::to_string(s.step) + "_rank_" + std::to_string(rank) + "_of_" + std::to_string(s.ranks));
}

// FNV-1a (Fowler, Noll, Vo), eight bytes at a time: finds accidents, not attacks.
inline std::uint64_t checksum(const header& h, std::span<const float> cells) {
  std::uint64_t hash = 0xcbf29ce484222325;
  const auto add = [&](const char* bytes, std::size_t count) {
    for (std::size_t i = 0; i < count; i += 8) {
      std::uint64_t word = 0;
      std::memcpy(&word, bytes + i, std::min<std::size_t>(8, count - i));
      hash = (hash ^ word) * 0x100000001b3;
      hash ^= hash >> 29;  // a product moves bits to the left only
    }
  };
  add(reinterpret_cast<const char*>(&h) + offsetof(header, step), sizeof h - offsetof(header, step));
  add(reinterpret_cast<const char*>(cells.data()), cells.size_bytes());
  return hash;
}

[[noreturn]] inline void fail(const std::string& asked) {
  throw gs::machine_error(asked, std::system_category().message(errno), "make room, or choose another folder");
}

/// A file descriptor, closed with its owner.
class open_file {
 public:
  open_file(const fs::path& path, int flags) : path_(path), number_(open(path.c_str(), flags | O_CLOEXEC, 0666)) {
    if (number_ < 0) fail("opening " + path.string());
  }
  ~open_file() { close(number_); }
  open_file(const open_file&) = delete;
  open_file& operator=(const open_file&) = delete;

  void write(const void* data, std::size_t bytes) {
    for (const char* next = static_cast<const char*>(data); bytes > 0;) {
      const ssize_t written = ::write(number_, next, bytes);
      if (written < 0 && errno != EINTR) fail("writing " + path_.string());
      if (written < 0) continue;
      next += written;
      bytes -= static_cast<std::size_t>(written);
    }
  }
  /// Returns when all of it is on the disk.
  void sync() {
    if (fsync(number_) != 0) fail("writing " + path_.string());
  }

 private:
  fs::path path_;
  int number_;
};

/// Writes one rank's file. The order is what makes it safe: write under another name, sync, rename, sync the folder.
inline void write(const fs::path& folder, header h, std::span<const float> cells) {
  h.sum = checksum(h, cells);
  const fs::path final_name = file_of(folder, {h.step, h.ranks}, h.rank), other_name = final_name.string() + ".new";
  {
    open_file file(other_name, O_WRONLY | O_CREAT | O_TRUNC);
    file.write(&h, sizeof h);
    file.write(cells.data(), cells.size_bytes());
    file.sync();
  }
  if (std::rename(other_name.c_str(), final_name.c_str()) != 0) fail("renaming " + other_name.string());
  open_file(folder, O_RDONLY | O_DIRECTORY).sync();
}

struct part_of_field {
  header about;
  std::vector<float> cells;
};

/// Reads a file. Throws gs::error if it isn't what write() has written.
inline part_of_field read(const fs::path& file) {
  const std::string asked = "reading the checkpoint " + file.string();
  const std::string advice = "remove it; the run begins at the checkpoint before it, or anew";
  std::ifstream in(file, std::ios::binary);
  part_of_field found;
  header& h = found.about;
  if (!in.read(reinterpret_cast<char*>(&h), sizeof h)) throw gs::error(asked, "the file is cut short", advice);
  if (std::memcmp(h.format, header().format, sizeof h.format) != 0)
    throw gs::error(asked, "the file is no checkpoint of a field", advice);
  const std::uint64_t bytes = fs::file_size(file), most_cells = (bytes - sizeof h) / sizeof(float);
  if (h.part_rows > most_cells || (h.part_rows > 0 && h.part_columns > most_cells / h.part_rows))
    throw gs::error(asked, "the file is cut short: it has " + std::to_string(bytes) + " bytes", advice);
  found.cells.resize(h.part().cells());
  in.read(reinterpret_cast<char*>(found.cells.data()),
          static_cast<std::streamsize>(found.cells.size() * sizeof(float)));
  if (!in || h.sum != checksum(h, found.cells))
    throw gs::error(asked, "its checksum is another than when it was written", advice);
  return found;
}

/// The checkpoints that have a file of every rank, the newest first. Ranks rename one after the other: until the last
/// has done so, the checkpoint isn't there.
inline std::vector<set> find(const fs::path& folder) {
  std::map<std::pair<std::uint64_t, std::uint64_t>, std::uint64_t> files;
  std::error_code none;
  for (const fs::directory_entry& entry : fs::directory_iterator(folder, none)) {
    unsigned long long step = 0, rank = 0, ranks = 0;
    int end = 0;
    const std::string name = entry.path().filename().string();
    if (std::sscanf(name.c_str(), "step_%llu_rank_%llu_of_%llu%n", &step, &rank, &ranks, &end) == 3 &&
        static_cast<std::size_t>(end) == name.size() && rank < ranks)
      ++files[{step, ranks}];
  }
  std::vector<set> found;
  for (const auto& [key, count] : files)
    if (count == key.second) found.push_back({.step = key.first, .ranks = key.second});
  std::ranges::reverse(found);
  return found;
}

/// Removes the files of all steps before the newest `keep`, also those that were never renamed.
inline void remove_older(const fs::path& folder, std::size_t keep) {
  std::vector<std::uint64_t> steps;
  for (const set& s : find(folder))
    if (steps.empty() || steps.back() != s.step) steps.push_back(s.step);
  if (steps.size() < keep) return;
  const std::uint64_t oldest = steps[keep - 1];
  std::error_code none;
  for (const fs::directory_entry& entry : fs::directory_iterator(folder, none)) {
    unsigned long long step = 0;
    if (std::sscanf(entry.path().filename().c_str(), "step_%llu_rank_", &step) == 1 && step < oldest)
      fs::remove(entry.path(), none);
  }
}

}  // namespace checkpoint
