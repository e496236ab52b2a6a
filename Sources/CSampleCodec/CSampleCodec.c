#include "CSampleCodec.h"
