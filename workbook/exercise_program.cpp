// The program that checks one exercise: a lesson's checks.cpp with somebody's file in it.

#include "workbook/command/lesson_command.h"
#include "workbook/exercise.h"

int main(int argc, char** argv) {
  return workbook::run_lesson_command(workbook::lesson_of(workbook::this_exercise()), argc, argv);
}
