// CALSA: the ALSA sequencer's functions behind pointers, found at run time, so that only a command that sends or
// receives MIDI pays for the library. Knows nothing of what is sent.
#pragma once
#include <alsa/asoundlib.h>

/// The functions that are used, in no order that matters; the header of libasound2-dev declares their types.
#define CALSA_FUNCTIONS(FUNCTION)             \
  FUNCTION(snd_strerror)                      \
  FUNCTION(snd_lib_error_set_handler)         \
  FUNCTION(snd_seq_open)                      \
  FUNCTION(snd_seq_close)                     \
  FUNCTION(snd_seq_client_id)                 \
  FUNCTION(snd_seq_set_client_name)           \
  FUNCTION(snd_seq_set_client_pool_output)    \
  FUNCTION(snd_seq_set_client_pool_input)     \
  FUNCTION(snd_seq_set_input_buffer_size)     \
  FUNCTION(snd_seq_poll_descriptors)          \
  FUNCTION(snd_seq_create_simple_port)        \
  FUNCTION(snd_seq_delete_simple_port)        \
  FUNCTION(snd_seq_connect_to)                \
  FUNCTION(snd_seq_connect_from)              \
  FUNCTION(snd_seq_disconnect_to)             \
  FUNCTION(snd_seq_disconnect_from)           \
  FUNCTION(snd_seq_alloc_named_queue)         \
  FUNCTION(snd_seq_control_queue)             \
  FUNCTION(snd_seq_drain_output)              \
  FUNCTION(snd_seq_event_output_direct)       \
  FUNCTION(snd_seq_event_input)               \
  FUNCTION(snd_seq_event_input_pending)       \
  FUNCTION(snd_seq_get_queue_status)          \
  FUNCTION(snd_seq_queue_status_malloc)       \
  FUNCTION(snd_seq_queue_status_free)         \
  FUNCTION(snd_seq_queue_status_get_real_time) \
  FUNCTION(snd_seq_remove_events)             \
  FUNCTION(snd_seq_remove_events_malloc)      \
  FUNCTION(snd_seq_remove_events_free)        \
  FUNCTION(snd_seq_remove_events_set_condition) \
  FUNCTION(snd_seq_remove_events_set_queue)   \
  FUNCTION(snd_seq_remove_events_set_time)    \
  FUNCTION(snd_seq_client_info_malloc)        \
  FUNCTION(snd_seq_client_info_free)          \
  FUNCTION(snd_seq_client_info_set_client)    \
  FUNCTION(snd_seq_client_info_get_client)    \
  FUNCTION(snd_seq_client_info_get_name)      \
  FUNCTION(snd_seq_query_next_client)         \
  FUNCTION(snd_seq_port_info_malloc)          \
  FUNCTION(snd_seq_port_info_free)            \
  FUNCTION(snd_seq_port_info_set_client)      \
  FUNCTION(snd_seq_port_info_set_port)        \
  FUNCTION(snd_seq_port_info_set_name)        \
  FUNCTION(snd_seq_port_info_set_timestamping) \
  FUNCTION(snd_seq_port_info_set_timestamp_real) \
  FUNCTION(snd_seq_port_info_set_timestamp_queue) \
  FUNCTION(snd_seq_port_info_get_port)        \
  FUNCTION(snd_seq_port_info_get_name)        \
  FUNCTION(snd_seq_port_info_get_capability)  \
  FUNCTION(snd_seq_port_info_get_type)        \
  FUNCTION(snd_seq_query_next_port)           \
  FUNCTION(snd_seq_get_port_info)             \
  FUNCTION(snd_seq_set_port_info)             \
  FUNCTION(snd_seq_query_subscribe_malloc)    \
  FUNCTION(snd_seq_query_subscribe_free)      \
  FUNCTION(snd_seq_query_subscribe_set_root)  \
  FUNCTION(snd_seq_query_subscribe_set_type)  \
  FUNCTION(snd_seq_query_subscribe_set_index) \
  FUNCTION(snd_seq_query_subscribe_get_addr)  \
  FUNCTION(snd_seq_query_port_subscribers)

/// The library, opened. Each member is its function of that name.
struct calsa {
#define CALSA_MEMBER(name) __typeof__(name) *_Nonnull name;
  CALSA_FUNCTIONS(CALSA_MEMBER)
#undef CALSA_MEMBER
};

/// Opens the library, which stays open until the process ends, and keeps it from printing. A control thread, once.
/// Returns the functions; or NULL, and in `problem` the dynamic linker's sentence, valid until this thread calls it again.
const struct calsa *_Nullable calsa_open(const char *_Nullable *_Nonnull problem);
