// CEBUR128: the functions of libebur128 that are used, under their own names. The library is opened at the first call: few
// commands measure loudness.
#pragma once
#include <ebur128.h>
