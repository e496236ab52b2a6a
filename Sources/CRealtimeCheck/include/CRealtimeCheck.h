// CRealtimeCheck: functions for real-time threads that Swift lacks: the processor's denormal flags, and the entry points of
// RealtimeSanitizer. Functions marked DAW_NO_LOCKS are safe on the audio thread.
#pragma once
#include <stdint.h>

#define DAW_NO_LOCKS __attribute__((swift_attr("@_noLocks")))

/// Makes this thread treat denormal operands and results as zero (FTZ, DAZ).
/// Returns the earlier flags, for `daw_denormals_restore`.
DAW_NO_LOCKS uint64_t daw_denormals_flush(void);

/// Restores the flags that `daw_denormals_flush` returned.
DAW_NO_LOCKS void daw_denormals_restore(uint64_t flags);

/// Until `daw_realtime_exit`, RealtimeSanitizer stops the process at any call that may block. Without the sanitizer's
/// runtime, or a preloaded library that replaces it, both do nothing.
DAW_NO_LOCKS void daw_realtime_enter(void);
DAW_NO_LOCKS void daw_realtime_exit(void);

/// Sleeps for 200 µs. Only for callbacks of a host that freewheels, that is, has no clock.
DAW_NO_LOCKS void daw_freewheel_pause(void);
