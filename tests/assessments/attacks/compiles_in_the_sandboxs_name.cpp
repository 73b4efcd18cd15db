// expect: compile_error
// Fails in words that the sandbox might use, so that a grader that believed them would stop grading everybody.

#include "assessments/A1_neural_layer/task.h"

#line 1 "bwrap: Can't make a sandbox"
#error nobody can be graded here
