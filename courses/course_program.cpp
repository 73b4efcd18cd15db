// gridstride-course: a course of one's own, new and checked.

#include "courses/course_command.h"

int main(int argc, char** argv) { return courses::run_course_command(argc, argv); }
