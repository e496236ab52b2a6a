// CSndFile: the functions of libsndfile that are used, under their own names. The library is opened at the first call, since
// it brings eight others: a program that is linked with them starts 3 ms later, for each of its commands.
#pragma once
#include <sndfile.h>
