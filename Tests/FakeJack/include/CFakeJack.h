// CFakeJack: a JACK library without a server, for tests: ports, connections and MIDI that a test can look at, and callbacks
// that it calls itself. Handles of a real library go on to that one. One thread at a time uses a client.
#pragma once
#include <CJack.h>

/// The longest cycle, the most events in one, how long a frame of the clock takes where it is asked for, and the latency of
/// each port, which is said whenever one is connected.
enum { FAKE_JACK_FRAMES = 1024, FAKE_JACK_EVENTS = 256, FAKE_JACK_MICROSECONDS = 20, FAKE_JACK_LATENCY = 64 };

struct fake_midi_event {
  uint32_t time, count;
  unsigned char bytes[16];
};

/// The functions of a library for `fake_jack_client`s. A real library has been opened before, or never will be.
struct cjack fake_jack_functions(void);

/// A new client, 256 frames a cycle at 48 kHz. NULL where there are too many.
jack_client_t *_Nullable fake_jack_client(void);

/// Runs a cycle: the readiness for JACK's transport where that starts, the cycle itself, the timebase; then the clock and a
/// transport that rolls go on. Returns how many callbacks were called.
int fake_jack_cycle(jack_client_t *_Nonnull client, jack_nframes_t frame_count);

/// As cycles that the client misses: clock and transport go on, and no callback is called.
void fake_jack_miss(jack_client_t *_Nonnull client, jack_nframes_t frame_count);

/// What JACK's transport does from the next cycle on, and where.
void fake_jack_transport(jack_client_t *_Nonnull client, jack_transport_state_t state, jack_nframes_t frame);

/// Whether the client was ready when it was asked last; and the position as its timebase completed it last.
int fake_jack_was_ready(jack_client_t *_Nonnull client);
jack_position_t fake_jack_position(jack_client_t *_Nonnull client);

/// The port of a name, without the client's; NULL where there is none.
jack_port_t *_Nullable fake_jack_port(jack_client_t *_Nonnull client, const char *_Nonnull name);

/// What a port holds of the last cycle.
const float *_Nonnull fake_jack_samples(jack_port_t *_Nonnull port);
int fake_jack_event_count(jack_port_t *_Nonnull port);
struct fake_midi_event fake_jack_event(jack_port_t *_Nonnull port, int index);

/// An input port has this message in the next cycle. Returns 0, or an error's number where there is no room.
int fake_jack_receive(jack_port_t *_Nonnull port, uint32_t time, const unsigned char *_Nonnull bytes, uint32_t count);

/// In the next cycle the server has no room for so many messages of an input port.
void fake_jack_lose(jack_port_t *_Nonnull port, int count);

/// Connections of a port, the first of them by its name; NULL where there is none.
int fake_jack_connection_count(jack_port_t *_Nonnull port);
const char *_Nullable fake_jack_connection(jack_port_t *_Nonnull port);

/// From now on the server does not answer who closes a client, as one that is stopped.
void fake_jack_freeze(jack_client_t *_Nonnull client, int is_frozen);

/// An active client has one more cycle while it is closed.
int fake_jack_is_closed(jack_client_t *_Nonnull client);

/// From now on each fetch of a port's buffer allocates.
void fake_jack_plant_malloc(jack_client_t *_Nonnull client);
