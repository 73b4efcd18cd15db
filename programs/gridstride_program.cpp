// gridstride-program: new, run, inspect, watch and debug for a file of your own.

#include "programs/program_command.h"

int main(int argc, char** argv) { return programs::run_program_command(argc, argv); }
