// What the audio thread calls of JACK: the only C that it calls at all. JACK's documentation says of each of these that it
// may be called in the process callback; the attribute vouches for that, and lets Swift's `@_noLocks` code call it.
//
// The functions are those of the library that `cjack_open` has opened; before that none may be called.
#pragma once
#include <jack/midiport.h>
#include <jack/transport.h>
#include <jack/types.h>

#define CJACK_NO_LOCKS __attribute__((swift_attr("@_noLocks")))

/// jack_port_get_buffer: valid in this cycle only.
CJACK_NO_LOCKS void *_Nullable cjack_port_buffer(jack_port_t *_Nonnull port, jack_nframes_t frame_count);

/// jack_last_frame_time: the frame of the server's clock at the start of this cycle; wraps at 2³².
CJACK_NO_LOCKS jack_nframes_t cjack_cycle_frame(const jack_client_t *_Nonnull client);

/// jack_transport_query: what JACK's transport does in this cycle, and at which frame of the timeline.
CJACK_NO_LOCKS jack_transport_state_t cjack_transport(
    const jack_client_t *_Nonnull client, jack_nframes_t *_Nonnull frame);

/// The frame of a position that JACK hands to a callback.
CJACK_NO_LOCKS jack_nframes_t cjack_position_frame(const jack_position_t *_Nonnull position);

/// Bar, beat (both from 1) and tick of a position that the timebase master completes, and what goes with them.
struct cjack_musical_position {
  int32_t bar, beat, tick;
  /// Ticks from the song's start to the bar's.
  double bar_start_tick;
  float beats_per_bar, beat_type;
  double ticks_per_beat, beats_per_minute;
};
CJACK_NO_LOCKS void cjack_complete_position(
    jack_position_t *_Nonnull position, const struct cjack_musical_position *_Nonnull musical);

/// jack_midi_clear_buffer: has to be called in each cycle.
CJACK_NO_LOCKS void cjack_midi_clear(void *_Nonnull buffer);

/// jack_midi_event_write. Times, in frames from the start of the cycle, must not fall. Returns 0, or an error's number where
/// there is no room.
CJACK_NO_LOCKS int cjack_midi_write(
    void *_Nonnull buffer, jack_nframes_t time, const unsigned char *_Nonnull bytes, unsigned long count);

/// The same for a message of a channel: two or three bytes, as its status asks for.
CJACK_NO_LOCKS int cjack_midi_write_message(
    void *_Nonnull buffer, jack_nframes_t time, unsigned char status, unsigned char data1, unsigned char data2);

/// jack_midi_get_event_count: the messages that an input port has in this cycle.
CJACK_NO_LOCKS uint32_t cjack_midi_event_count(void *_Nonnull buffer);

/// jack_midi_event_get: the bytes of a message, valid in this cycle, their count, and its time in frames from the start of
/// the cycle. NULL where there is none of this index.
CJACK_NO_LOCKS const unsigned char *_Nullable cjack_midi_event(
    void *_Nonnull buffer, uint32_t index, jack_nframes_t *_Nonnull time, unsigned long *_Nonnull count);

/// jack_midi_get_lost_event_count: the messages of this cycle for which the server had no room in the port's buffer.
CJACK_NO_LOCKS uint32_t cjack_midi_lost_count(void *_Nonnull buffer);
