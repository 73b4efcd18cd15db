// gridstride-exercise: the learner's loop.

#include "exercises/exercise_command.h"

int main(int argc, char** argv) { return exercises::run_exercise_command(argc, argv); }
