#include "CRealtimeCheck.h"
