// The program of one lesson: 06_gaussian_pdf [--json] [--target T] [--seed S] [--plots DIR] and the lesson's
// parameters.

#include "workbook/command/lesson_command.h"
#include "workbook/lesson.h"

int main(int argc, char** argv) { return workbook::run_lesson_command(workbook::this_lesson(), argc, argv); }
