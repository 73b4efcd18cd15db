#pragma once
// An inspection with one of everything, of a kernel in the file that is passed.

#include <string>

#include "runtime/instruments/results/inspection.h"

inline gs::finding_access sample_access(gs::access_kind kind, const gs::source_place& place, gs::index3 block,
                                        gs::index3 thread) {
  gs::finding_access a;
  a.kind = kind;
  a.where = place;
  a.kernel = "diffuse";
  a.block = block;
  a.thread = thread;
  return a;
}

inline gs::line_counters sample_line(const char* kernel, const gs::source_place& place, const char* expression,
                                     gs::memory_space space, gs::access_kind kind, std::uint64_t requests,
                                     std::uint64_t accesses) {
  gs::line_counters c;
  c.kernel = kernel;
  c.where = place;
  c.expression = expression;
  c.space = space;
  c.kind = kind;
  c.array = "u";
  c.requests = requests;
  c.accesses = accesses;
  c.bytes_used = 4 * accesses;
  return c;
}

inline gs::inspection sample_inspection(const std::string& file) {
  using enum gs::access_kind;
  using enum gs::memory_space;
  gs::inspection result;
  result.instruments = {gs::instrument::memcheck, gs::instrument::racecheck};
  result.model = "8.6";
  result.seconds = 0.4;

  gs::finding& race = result.findings.emplace_back();
  race.kind = gs::finding_kind::race_between_blocks;
  race.access = sample_access(write, {file, 3, 6}, {1, 2, 0}, {0, 7, 0});
  race.other = sample_access(read, {file, 2, 22}, {0, 2, 0}, {7, 7, 0});
  race.array = "u";
  race.made = {file, 5, 9};
  race.index = {8, 15};
  race.extents = {512, 512};
  race.count = 1024;
  race.meaning = "Nothing decides which of the two comes first.";
  race.hint = "Write to another array than the one you read.";

  gs::finding& leak = result.findings.emplace_back();
  leak.kind = gs::finding_kind::leak;
  leak.access.where = leak.made = {file, 5, 9};
  leak.array = "u";
  leak.extents = {512, 512};

  gs::kernel_counters& diffuse = result.kernels.emplace_back();
  diffuse.kernel = "diffuse";
  diffuse.grid = {8, 64, 1};
  diffuse.block = {64, 8, 1};
  diffuse.launches = 3;
  diffuse.threads = 786'432;
  diffuse.accesses = 1'234'567;
  diffuse.barriers = 1536;
  diffuse.requests = 2500;
  diffuse.sectors = 36'500;
  diffuse.wavefronts = 16'000;
  diffuse.sectors_read = diffuse.sectors_written = 3 * 32'768;  // the array, in each launch
  diffuse.static_shared_bytes = 2640;
  diffuse.dynamic_shared_bytes = 16;
  diffuse.occupancy = 0.75;
  gs::kernel_counters& fill = result.kernels.emplace_back();
  fill.kernel = "fill";
  fill.grid = {1, 1, 1};
  fill.block = {32, 1, 1};
  fill.launches = 1;
  fill.threads = fill.accesses = 32;
  fill.requests = 1;
  fill.sectors = fill.sectors_written = 4;

  gs::line_counters columnwise = sample_line("diffuse", {file, 2, 22}, "u(y, x)", global, read, 1000, 32'000);
  columnwise.sectors = 32'000;
  columnwise.ideal_sectors = 4000;
  gs::line_counters rowwise = sample_line("diffuse", {file, 3, 6}, "u(y, x)", global, write, 1000, 32'000);
  rowwise.sectors = rowwise.ideal_sectors = 4000;
  gs::line_counters conflicts = sample_line("diffuse", {file, 3, 15}, "s->t(y, x)", shared, read, 2000, 64'000);
  conflicts.wavefronts = 16'000;
  conflicts.ideal_wavefronts = 2000;
  gs::line_counters counting = sample_line("diffuse", {file, 4, 22}, "count[bin]", global, atomic, 500, 15'000);
  counting.addresses = 10;
  counting.most_per_address = 9000;
  counting.serialized = 8000;
  gs::line_counters first = sample_line("fill", {file, 1, 6}, "first[i]", global, write, 1, 32);
  first.sectors = first.ideal_sectors = 4;
  result.lines = {columnwise, rowwise, conflicts, counting, first};

  result.copies = {{.where = {file, 4, 0}, .copies_to_host = 1, .bytes_to_host = 4000},
                   {.where = {file, 5, 9}, .copies_to_device = 2, .bytes_to_device = 1'048'576}};

  gs::warp_picture& picture = result.pictures.emplace_back();
  picture.kernel = "diffuse";
  picture.where = {file, 2, 22};
  picture.expression = "u(y, x)";
  picture.array = "u";
  picture.block = {1, 0, 0};
  picture.warp = 2;
  picture.extents = {512, 512};
  picture.requests = {{global, read, 4, {{0, 128}, {31, 252}}}, {global, write, 8, {}}};
  return result;
}
