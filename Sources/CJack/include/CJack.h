// CJack: JACK's functions behind pointers, found at run time, so that only a command that plays pays for the library, and
// a machine without it has every other command. Knows nothing of what is played.
//
// What the audio thread calls is in CJackProcess.h, and nowhere else.
#pragma once
#include <jack/jack.h>
#include <jack/midiport.h>
#include <jack/transport.h>

#include "CJackProcess.h"

/// The functions that control threads use, in no order that matters; JACK's headers declare their types.
#define CJACK_FUNCTIONS(FUNCTION)          \
  FUNCTION(jack_get_version_string)        \
  FUNCTION(jack_set_error_function)        \
  FUNCTION(jack_set_info_function)         \
  FUNCTION(jack_client_close)              \
  FUNCTION(jack_client_name_size)          \
  FUNCTION(jack_get_client_name)           \
  FUNCTION(jack_activate)                  \
  FUNCTION(jack_deactivate)                \
  FUNCTION(jack_is_realtime)               \
  FUNCTION(jack_get_sample_rate)           \
  FUNCTION(jack_get_buffer_size)           \
  FUNCTION(jack_set_buffer_size)           \
  FUNCTION(jack_set_freewheel)             \
  FUNCTION(jack_set_process_callback)      \
  FUNCTION(jack_set_buffer_size_callback)  \
  FUNCTION(jack_set_sample_rate_callback)  \
  FUNCTION(jack_set_xrun_callback)         \
  FUNCTION(jack_set_latency_callback)      \
  FUNCTION(jack_set_port_connect_callback) \
  FUNCTION(jack_set_freewheel_callback)    \
  FUNCTION(jack_on_info_shutdown)          \
  FUNCTION(jack_set_sync_callback)         \
  FUNCTION(jack_set_timebase_callback)     \
  FUNCTION(jack_release_timebase)          \
  FUNCTION(jack_port_register)             \
  FUNCTION(jack_port_unregister)           \
  FUNCTION(jack_port_rename)               \
  FUNCTION(jack_port_name)                 \
  FUNCTION(jack_port_short_name)           \
  FUNCTION(jack_port_name_size)            \
  FUNCTION(jack_port_connected)            \
  FUNCTION(jack_port_get_connections)      \
  FUNCTION(jack_port_is_mine)              \
  FUNCTION(jack_port_by_id)                \
  FUNCTION(jack_port_by_name)              \
  FUNCTION(jack_port_get_latency_range)    \
  FUNCTION(jack_connect)                   \
  FUNCTION(jack_get_ports)                 \
  FUNCTION(jack_free)                      \
  FUNCTION(jack_midi_get_event_count)      \
  FUNCTION(jack_midi_event_get)            \
  FUNCTION(jack_get_time)                  \
  FUNCTION(jack_frames_to_time)            \
  FUNCTION(jack_last_frame_time)           \
  FUNCTION(jack_transport_start)           \
  FUNCTION(jack_transport_stop)            \
  FUNCTION(jack_transport_locate)          \
  FUNCTION(jack_transport_query)

/// JACK, opened. Each member is the library's function of that name.
struct cjack {
#define CJACK_MEMBER(name) __typeof__(name) *_Nonnull name;
  CJACK_FUNCTIONS(CJACK_MEMBER)
#undef CJACK_MEMBER
};

/// What the audio thread's functions in CJackProcess.h lead to; each member is the library's function of that name.
struct cjack_process {
  __typeof__(jack_port_get_buffer) *_Nullable port_get_buffer;
  __typeof__(jack_last_frame_time) *_Nullable last_frame_time;
  __typeof__(jack_transport_query) *_Nullable transport_query;
  __typeof__(jack_midi_clear_buffer) *_Nullable midi_clear_buffer;
  __typeof__(jack_midi_event_write) *_Nullable midi_event_write;
  __typeof__(jack_midi_get_event_count) *_Nullable midi_get_event_count;
  __typeof__(jack_midi_event_get) *_Nullable midi_event_get;
  __typeof__(jack_midi_get_lost_event_count) *_Nullable midi_get_lost_event_count;
};

/// A test, once: has them lead elsewhere from now on. Returns where they led before, the members being NULL where the library
/// is not open.
struct cjack_process cjack_replace_process(struct cjack_process functions);

/// Opens the library, which stays open until the process ends. A control thread, once, before any other call.
/// Returns the functions; or NULL, and in `problem` the dynamic linker's sentence, valid until this thread calls it again.
const struct cjack *_Nullable cjack_open(const char *_Nullable *_Nonnull problem);

/// jack_client_open, whose arguments vary in number: never starts a server. A control thread.
/// `server` is NULL for the usual one. Returns NULL where there is no client, and in `status` why.
jack_client_t *_Nullable cjack_client_open(
    const char *_Nonnull name, const char *_Nullable server, jack_status_t *_Nonnull status);
