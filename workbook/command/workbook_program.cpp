// gridstride-workbook: the course as a program.

#include "workbook/command/course_command.h"

int main(int argc, char** argv) { return workbook::run_course_command(argc, argv); }
