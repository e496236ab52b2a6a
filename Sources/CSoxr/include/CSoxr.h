// CSoxr: the functions of soxr that are used, under their own names. The library is opened at the first call: few commands
// resample.
#pragma once
#include <soxr.h>
