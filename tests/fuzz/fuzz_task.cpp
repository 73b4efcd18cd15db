// A task.json.

#include <fstream>

#include "assessments/grader/tasks/task.h"
#include "tests/temporary_folder.h"

#include "tests/fuzz/reads.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  return reads(data, size, [](std::string_view text) {
    static const gridstride_test::temporary_folder folder;
    std::ofstream(folder.path() / "task.json", std::ios::binary) << text;
    grader::read_task(folder.path());
  });
}
