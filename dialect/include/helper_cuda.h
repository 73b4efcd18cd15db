#pragma once
#include "dialect/samples/checks.h"
#include "dialect/samples/command_line.h"
