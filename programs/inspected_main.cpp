// A program with a main of its own, observed from its main's beginning to its end. The linker puts these functions
// before the C library's (-Wl,--wrap), so the source needs no change. GRIDSTRIDE_INSPECT_MAIN turns it on; the
// arguments are then those of a lesson's program, "--", and the program's own.

#include <unistd.h>

#include <algorithm>
#include <csetjmp>
#include <cstdlib>
#include <cstring>
#include <iostream>
#include <vector>

#include "workbook/command/lesson_command.h"
#include "workbook/lesson.h"

using main_function = int (*)(int, char**, char**);

extern "C" {
int __real___libc_start_main(main_function main, int argc, char** argv, void (*init)(), void (*fini)(),
                             void (*loader_fini)(), void* stack_end);
[[noreturn]] void __real_exit(int status);
}

namespace {

main_function own_main = nullptr;
int own_status = 0;
thread_local bool in_own_main = false;
std::jmp_buf end_of_own_main;

struct own_main_scope {
  own_main_scope() { in_own_main = true; }
  ~own_main_scope() { in_own_main = false; }
};

// exit() leaves all frames as they are, and so does longjmp; an exception couldn't pass through it.
void run_own_main(int argc, char** argv) {
  const own_main_scope inside;
  if (setjmp(end_of_own_main) == 0) own_status = own_main(argc, argv, environ);
  std::cout.flush();
}

int inspected_main(int argc, char** argv, char**) {
  char** const end = argv + argc;
  char** const dashes = std::find_if(argv, end, [](const char* word) { return std::strcmp(word, "--") == 0; });
  std::vector<char*> own{argv[0]};
  if (dashes != end) own.insert(own.end(), dashes + 1, end);
  own.push_back(nullptr);
  const workbook::lesson l{.run = [&](const workbook::parameters&, workbook::report&) {
    run_own_main(static_cast<int>(own.size()) - 1, own.data());
  }};
  const int inspected = workbook::run_lesson_command(l, static_cast<int>(dashes - argv), argv);
  return inspected != 0 ? inspected : own_status;
}

}  // namespace

extern "C" {

int __wrap___libc_start_main(main_function main, int argc, char** argv, void (*init)(), void (*fini)(),
                             void (*loader_fini)(), void* stack_end) {
  if (std::getenv("GRIDSTRIDE_INSPECT_MAIN") != nullptr) {
    own_main = main;
    main = &inspected_main;
  }
  return __real___libc_start_main(main, argc, argv, init, fini, loader_fini, stack_end);
}

// An observed program prints its findings first.
[[noreturn]] void __wrap_exit(int status) {
  if (in_own_main) {
    own_status = status;
    std::longjmp(end_of_own_main, 1);
  }
  __real_exit(status);
}
}
