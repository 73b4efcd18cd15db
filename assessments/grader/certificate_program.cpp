// gridstride-certificate: writes and verifies certificates.

#include "assessments/grader/certificate_command.h"

int main(int argc, char** argv) { return grader::run_certificate_command(argc, argv); }
