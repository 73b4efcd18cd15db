#pragma once
#include "dialect/samples/command_line.h"
