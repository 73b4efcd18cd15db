// gridstride-bench: how fast is this, how fast could it be, and what would an expert's loop reach?
#include "bench/command/command_line.h"

int main(int argument_count, char** arguments) { return bench::run_command_line(argument_count, arguments); }
