// ./gridstride view: the program.

#include "viewer/application/command.h"

int main(int argc, char** argv) { return viewer::command(argc, argv); }
