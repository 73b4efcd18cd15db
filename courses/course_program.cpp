// gridstride-course: creates a course of your own, and checks one.

#include "courses/course_command.h"

int main(int argc, char** argv) { return courses::run_course_command(argc, argv); }
