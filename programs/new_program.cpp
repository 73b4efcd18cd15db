#include "programs/new_program.h"

#include <fmt/format.h>

#include "programs/program_files.h"
#include "runtime/core/error.h"
#include "runtime/core/printable.h"
#include "workshop/file_text.h"

namespace programs {

std::string new_program_text() {
  return R"(#include <cmath>
#include <cstdio>
#include <vector>

#include "runtime/gs.h"

GS_FN void wave(gs::thread t, gs::view<float> height) {
  for (auto i : t.grid_stride(height.size())) height[i] = std::sin(0.1f * static_cast<float>(i));
}

int main() {
  gs::device_array<float> height(1000);
  gs::launch<wave>({.grid = 4, .block = 256}, height);
  const std::vector<float> h = height.copy_to_host();
  std::printf("the wave is %.3f high at 16\n", h[16]);
}
)";
}

void write_new_program(const std::filesystem::path& file) {
  const std::string asked = "new " + gs::detail::printable(file.string());
  if (!is_source_name(file)) throw gs::error(asked, "its name isn't that of a C++ source", "let it end in .cpp");
  if (!workshop::write_text(file, new_program_text(), asked, workshop::existing::keep))
    throw gs::error(asked, "the file is there already", "choose another name, or delete it");
}

}  // namespace programs
