// CRealtimeCheck: what Swift cannot say by itself about a real-time thread: the processor's denormal flags, and where
// RealtimeSanitizer begins and ends to watch. Each function is safe on the audio thread; the attribute vouches for it.
#pragma once
#include <stdint.h>

#define DAW_NO_LOCKS __attribute__((swift_attr("@_noLocks")))

/// Makes this thread take denormal operands and results as zero.
/// Returns the flags as they were, for `daw_denormals_restore`.
DAW_NO_LOCKS uint64_t daw_denormals_flush(void);

/// Gives this thread the flags that `daw_denormals_flush` returned.
DAW_NO_LOCKS void daw_denormals_restore(uint64_t flags);

/// From here to `daw_realtime_exit`, RealtimeSanitizer stops the process at whatever may block. Without the sanitizer's
/// runtime in the process, or a preloaded library that stands in for it, both do nothing.
DAW_NO_LOCKS void daw_realtime_enter(void);
DAW_NO_LOCKS void daw_realtime_exit(void);

/// Sleeps for 200 µs. For a callback whose host freewheels, that is, has no clock, and only there.
DAW_NO_LOCKS void daw_freewheel_pause(void);
