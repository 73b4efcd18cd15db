#pragma once
#include <algorithm>
#include <cassert>
#include <cmath>
#include <fstream>
#include <iostream>
#include <string>
#include <vector>

#include "dialect/samples/command_line.h"
#include "dialect/samples/comparisons.h"
#include "dialect/samples/files.h"
#include "dialect/samples/timers.h"
