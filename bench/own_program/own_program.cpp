// gridstride-program-bench: how fast is a user's own program beside what this machine can do?

#include "bench/own_program/own_program_command.h"

int main(int argc, char** argv) { return bench::run_own_program_command(argc, argv); }
