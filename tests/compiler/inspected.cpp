// Prints the notes of an inspection and its one finding, with the plugin and without it.

#include <iostream>

#include "runtime/gs.h"
#include "runtime/instruments/inspect.h"

GS_FN void beyond(gs::thread t, gs::view<float> x) { x[t.grid_x() + 1] = 1; }

int main() {
  gs::device_array<float> array(32);
  const gs::inspection found = gs::inspect([&] { gs::launch<beyond>({.grid = 1, .block = 32}, array); });
  for (const std::string& note : found.notes) std::cout << "note: " << note << "\n";
  for (const gs::finding& f : found.findings) std::cout << f.access.where.line << ": " << f.meaning << "\n";
}
