#include "CJack.h"

#include <dlfcn.h>
#include <stddef.h>

static struct cjack functions;

static __typeof__(jack_client_open) *client_open;
static struct cjack_process own;

struct cjack_process cjack_replace_process(struct cjack_process functions) {
  struct cjack_process before = own;
  own = functions;
  return before;
}

const struct cjack *cjack_open(const char **problem) {
  void *library = dlopen("libjack.so.0", RTLD_NOW | RTLD_LOCAL);
  if (library == NULL) {
    *problem = dlerror();
    return NULL;
  }
#define CJACK_FIND(place, name)                   \
  {                                               \
    void *symbol = dlsym(library, name);          \
    if (symbol == NULL) {                         \
      *problem = dlerror();                       \
      return NULL;                                \
    }                                             \
    (place) = (__typeof__(place))symbol;          \
  }
#define CJACK_FIND_FUNCTION(name) CJACK_FIND(functions.name, #name)
  CJACK_FUNCTIONS(CJACK_FIND_FUNCTION)
#undef CJACK_FIND_FUNCTION
  CJACK_FIND(client_open, "jack_client_open")
  CJACK_FIND(own.port_get_buffer, "jack_port_get_buffer")
  CJACK_FIND(own.last_frame_time, "jack_last_frame_time")
  CJACK_FIND(own.transport_query, "jack_transport_query")
  CJACK_FIND(own.midi_clear_buffer, "jack_midi_clear_buffer")
  CJACK_FIND(own.midi_event_write, "jack_midi_event_write")
  CJACK_FIND(own.midi_get_event_count, "jack_midi_get_event_count")
  CJACK_FIND(own.midi_event_get, "jack_midi_event_get")
  CJACK_FIND(own.midi_get_lost_event_count, "jack_midi_get_lost_event_count")
#undef CJACK_FIND
  return &functions;
}

jack_client_t *cjack_client_open(const char *name, const char *server, jack_status_t *status) {
  return server == NULL ? client_open(name, JackNoStartServer, status)
                        : client_open(name, JackNoStartServer | JackServerName, status, server);
}

void *cjack_port_buffer(jack_port_t *port, jack_nframes_t frame_count) {
  return own.port_get_buffer(port, frame_count);
}

jack_nframes_t cjack_cycle_frame(const jack_client_t *client) { return own.last_frame_time(client); }

jack_transport_state_t cjack_transport(const jack_client_t *client, jack_nframes_t *frame) {
  jack_position_t position;
  jack_transport_state_t state = own.transport_query(client, &position);
  *frame = position.frame;
  return state;
}

jack_nframes_t cjack_position_frame(const jack_position_t *position) { return position->frame; }

void cjack_complete_position(jack_position_t *position, const struct cjack_musical_position *musical) {
  position->valid = JackPositionBBT;
  position->bar = musical->bar;
  position->beat = musical->beat;
  position->tick = musical->tick;
  position->bar_start_tick = musical->bar_start_tick;
  position->beats_per_bar = musical->beats_per_bar;
  position->beat_type = musical->beat_type;
  position->ticks_per_beat = musical->ticks_per_beat;
  position->beats_per_minute = musical->beats_per_minute;
}

void cjack_midi_clear(void *buffer) { own.midi_clear_buffer(buffer); }

int cjack_midi_write(void *buffer, jack_nframes_t time, const unsigned char *bytes, unsigned long count) {
  return own.midi_event_write(buffer, time, bytes, count);
}

int cjack_midi_write_message(
    void *buffer, jack_nframes_t time, unsigned char status, unsigned char data1, unsigned char data2) {
  const unsigned char bytes[] = {status, data1, data2};
  const unsigned char kind = status & 0xf0;
  return own.midi_event_write(buffer, time, bytes, kind == 0xc0 || kind == 0xd0 ? 2 : 3);
}

uint32_t cjack_midi_event_count(void *buffer) { return own.midi_get_event_count(buffer); }

const unsigned char *cjack_midi_event(
    void *buffer, uint32_t index, jack_nframes_t *time, unsigned long *count) {
  jack_midi_event_t event;
  if (own.midi_event_get(&event, buffer, index) != 0) return NULL;
  *time = event.time;
  *count = event.size;
  return event.buffer;
}

uint32_t cjack_midi_lost_count(void *buffer) { return own.midi_get_lost_event_count(buffer); }
