#include "CFakeJack.h"

#include <errno.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { CLIENTS = 64, PORTS = 32, CONNECTIONS = 4, NAME = 320 };

struct port {
  struct client *client;
  char name[NAME], full_name[NAME + 8], connections[CONNECTIONS][NAME];
  int is_registered, is_input, connection_count, event_count, lost_count;
  _Alignas(64) float samples[FAKE_JACK_FRAMES];
  struct fake_midi_event events[FAKE_JACK_EVENTS];
};

struct client {
  struct port ports[PORTS];
  JackProcessCallback process;
  JackSyncCallback sync;
  JackTimebaseCallback timebase;
  JackLatencyCallback latency;
  void *process_argument, *sync_argument, *timebase_argument, *latency_argument;
  jack_transport_state_t state;
  jack_position_t position;
  jack_nframes_t clock, frame_count;
  int was_ready, plants;
  atomic_int is_active, is_frozen, is_closed;
};

static struct client clients[CLIENTS];
static atomic_int client_count;
static struct cjack_process real;

static int is_ours(const void *handle) {
  return (const char *)handle >= (const char *)clients && (const char *)handle < (const char *)(clients + CLIENTS);
}

// MARK: What the audio thread calls

static void *port_get_buffer(jack_port_t *handle, jack_nframes_t count) {
  if (!is_ours(handle)) return real.port_get_buffer(handle, count);
  struct port *port = (struct port *)handle;
  if (port->client->plants) {
    void *volatile memory = malloc(64);
    free(memory);
  }
  return port->samples;
}

static jack_nframes_t last_frame_time(const jack_client_t *handle) {
  return is_ours(handle) ? ((const struct client *)handle)->clock : real.last_frame_time(handle);
}

static jack_transport_state_t transport_query(const jack_client_t *handle, jack_position_t *position) {
  if (!is_ours(handle)) return real.transport_query(handle, position);
  const struct client *client = (const struct client *)handle;
  if (position) *position = client->position;
  return client->state;
}

static struct port *port_of_buffer(void *buffer) {
  struct client *client = clients + ((char *)buffer - (char *)clients) / (long)sizeof(struct client);
  return client->ports + ((char *)buffer - (char *)client->ports) / (long)sizeof(struct port);
}

static void midi_clear_buffer(void *buffer) {
  if (!is_ours(buffer)) return real.midi_clear_buffer(buffer);
  port_of_buffer(buffer)->event_count = 0;
}

static int midi_event_write(void *buffer, jack_nframes_t time, const jack_midi_data_t *bytes, size_t count) {
  if (!is_ours(buffer)) return real.midi_event_write(buffer, time, bytes, count);
  struct port *port = port_of_buffer(buffer);
  if (port->event_count == FAKE_JACK_EVENTS || count > sizeof port->events[0].bytes) return -105;
  struct fake_midi_event *event = port->events + port->event_count++;
  event->time = time;
  event->count = (uint32_t)count;
  memcpy(event->bytes, bytes, count);
  return 0;
}

static uint32_t midi_get_event_count(void *buffer) {
  return is_ours(buffer) ? (uint32_t)port_of_buffer(buffer)->event_count : real.midi_get_event_count(buffer);
}

static int midi_event_get(jack_midi_event_t *target, void *buffer, uint32_t index) {
  if (!is_ours(buffer)) return real.midi_event_get(target, buffer, index);
  struct port *port = port_of_buffer(buffer);
  if (index >= (uint32_t)port->event_count) return -61;
  struct fake_midi_event *event = port->events + index;
  *target = (jack_midi_event_t){.time = event->time, .size = event->count, .buffer = event->bytes};
  return 0;
}

static uint32_t midi_get_lost_event_count(void *buffer) {
  return is_ours(buffer) ? (uint32_t)port_of_buffer(buffer)->lost_count : real.midi_get_lost_event_count(buffer);
}

// MARK: What control threads call

static void unexpected(void) {
  fputs("CFakeJack: a function that it does not have was called\n", stderr);
  abort();
}

static void wait_while_frozen(struct client *client) {
  while (atomic_load(&client->is_frozen)) usleep(1000);
}

static int client_close(jack_client_t *handle) {
  struct client *client = (struct client *)handle;
  wait_while_frozen(client);
  fake_jack_cycle(handle, client->frame_count);
  atomic_store(&client->is_closed, 1);
  return 0;
}

static int deactivate(jack_client_t *handle) {
  struct client *client = (struct client *)handle;
  wait_while_frozen(client);
  atomic_store(&client->is_active, 0);
  return 0;
}

static int activate(jack_client_t *handle) {
  atomic_store(&((struct client *)handle)->is_active, 1);
  return 0;
}

static int client_name_size(void) { return NAME; }
static char *get_client_name(jack_client_t *client) { return (void)client, "fake"; }
static int is_realtime(jack_client_t *client) { return (void)client, 0; }
static jack_nframes_t get_sample_rate(jack_client_t *client) { return (void)client, 48000; }
static jack_nframes_t get_buffer_size(jack_client_t *client) { return ((struct client *)client)->frame_count; }

static int set_process(jack_client_t *client, JackProcessCallback callback, void *argument) {
  ((struct client *)client)->process = callback;
  ((struct client *)client)->process_argument = argument;
  return 0;
}

static int set_sync(jack_client_t *client, JackSyncCallback callback, void *argument) {
  ((struct client *)client)->sync = callback;
  ((struct client *)client)->sync_argument = argument;
  return 0;
}

static int set_timebase(jack_client_t *client, int conditional, JackTimebaseCallback callback, void *argument) {
  (void)conditional;
  ((struct client *)client)->timebase = callback;
  ((struct client *)client)->timebase_argument = argument;
  return 0;
}

static int set_buffer_size(jack_client_t *client, JackBufferSizeCallback callback, void *argument) {
  return (void)client, (void)callback, (void)argument, 0;
}
static int set_sample_rate(jack_client_t *client, JackSampleRateCallback callback, void *argument) {
  return (void)client, (void)callback, (void)argument, 0;
}
static int set_xrun(jack_client_t *client, JackXRunCallback callback, void *argument) {
  return (void)client, (void)callback, (void)argument, 0;
}
static int set_latency(jack_client_t *client, JackLatencyCallback callback, void *argument) {
  ((struct client *)client)->latency = callback;
  ((struct client *)client)->latency_argument = argument;
  return 0;
}

static void port_get_latency_range(jack_port_t *port, jack_latency_callback_mode_t mode, jack_latency_range_t *range) {
  (void)port, (void)mode;
  range->min = range->max = FAKE_JACK_LATENCY;
}
static int set_freewheel(jack_client_t *client, JackFreewheelCallback callback, void *argument) {
  return (void)client, (void)callback, (void)argument, 0;
}
static int set_connect(jack_client_t *client, JackPortConnectCallback callback, void *argument) {
  return (void)client, (void)callback, (void)argument, 0;
}
static void on_shutdown(jack_client_t *client, JackInfoShutdownCallback callback, void *argument) {
  (void)client, (void)callback, (void)argument;
}

static jack_port_t *port_by_name(jack_client_t *client, const char *name) {
  return strncmp(name, "fake:", 5) == 0 ? fake_jack_port(client, name + 5) : NULL;
}

static jack_port_t *port_register(
    jack_client_t *client, const char *name, const char *type, unsigned long flags, unsigned long size) {
  (void)type, (void)size;
  if (fake_jack_port(client, name)) return NULL;
  struct port *ports = ((struct client *)client)->ports;
  for (int index = 0; index < PORTS; index++) {
    if (ports[index].is_registered) continue;
    memset(ports + index, 0, sizeof ports[index]);
    ports[index].client = (struct client *)client;
    ports[index].is_registered = 1;
    ports[index].is_input = (flags & JackPortIsInput) != 0;
    snprintf(ports[index].name, NAME, "%s", name);
    return (jack_port_t *)(ports + index);
  }
  return NULL;
}

static int port_unregister(jack_client_t *client, jack_port_t *port) {
  (void)client;
  ((struct port *)port)->is_registered = 0;
  return 0;
}

static int port_rename(jack_client_t *client, jack_port_t *port, const char *name) {
  (void)client;
  snprintf(((struct port *)port)->name, NAME, "%s", name);
  return 0;
}

static const char *port_short_name(const jack_port_t *port) { return ((const struct port *)port)->name; }
static const char *port_name(const jack_port_t *handle) {
  struct port *port = (struct port *)handle;
  snprintf(port->full_name, sizeof port->full_name, "fake:%s", port->name);
  return port->full_name;
}
static int port_name_size(void) { return NAME; }
static int port_connected(const jack_port_t *port) { return ((const struct port *)port)->connection_count; }

static const char **port_get_connections(const jack_port_t *handle) {
  const struct port *port = (const struct port *)handle;
  if (port->connection_count == 0) return NULL;
  const char **names = calloc((size_t)port->connection_count + 1, sizeof *names);
  for (int index = 0; names && index < port->connection_count; index++) names[index] = port->connections[index];
  return names;
}

static int add_connection(struct port *port, const char *other) {
  for (int known = 0; known < port->connection_count; known++) {
    if (strcmp(port->connections[known], other) == 0) return EEXIST;
  }
  if (port->connection_count == CONNECTIONS) return -1;
  snprintf(port->connections[port->connection_count++], NAME, "%s", other);
  // The server says so once, and the other mode does not matter here.
  if (port->client->latency) port->client->latency(JackCaptureLatency, port->client->latency_argument);
  return 0;
}

// A connection is kept with the port of ours that is named first. Of others, those called "synth:" are there.
static int connect_ports(jack_client_t *client, const char *source, const char *target) {
  struct port *port = (struct port *)port_by_name(client, source);
  if (port) return add_connection(port, target);
  port = (struct port *)port_by_name(client, target);
  return port && strncmp(source, "synth:", 6) == 0 ? add_connection(port, source) : -1;
}

static void free_names(void *names) { free(names); }
static jack_time_t get_time(void) { return 0; }
static jack_time_t frames_to_time(const jack_client_t *client, jack_nframes_t frame) {
  return (void)client, (jack_time_t)frame * FAKE_JACK_MICROSECONDS;
}

static void install(void) {
  real = cjack_replace_process((struct cjack_process){
      port_get_buffer, last_frame_time, transport_query, midi_clear_buffer, midi_event_write, midi_get_event_count,
      midi_event_get, midi_get_lost_event_count});
}

struct cjack fake_jack_functions(void) {
  static pthread_once_t once = PTHREAD_ONCE_INIT;
  pthread_once(&once, install);
  struct cjack functions;
#define ABSENT(name) functions.name = (__typeof__(functions.name))unexpected;
  CJACK_FUNCTIONS(ABSENT)
#undef ABSENT
  functions.jack_client_close = client_close;
  functions.jack_client_name_size = client_name_size;
  functions.jack_get_client_name = get_client_name;
  functions.jack_activate = activate;
  functions.jack_deactivate = deactivate;
  functions.jack_is_realtime = is_realtime;
  functions.jack_get_sample_rate = get_sample_rate;
  functions.jack_get_buffer_size = get_buffer_size;
  functions.jack_set_process_callback = set_process;
  functions.jack_set_sync_callback = set_sync;
  functions.jack_set_timebase_callback = set_timebase;
  functions.jack_set_buffer_size_callback = set_buffer_size;
  functions.jack_set_sample_rate_callback = set_sample_rate;
  functions.jack_set_xrun_callback = set_xrun;
  functions.jack_set_latency_callback = set_latency;
  functions.jack_set_freewheel_callback = set_freewheel;
  functions.jack_set_port_connect_callback = set_connect;
  functions.jack_on_info_shutdown = on_shutdown;
  functions.jack_port_register = port_register;
  functions.jack_port_unregister = port_unregister;
  functions.jack_port_rename = port_rename;
  functions.jack_port_by_name = port_by_name;
  functions.jack_port_name = port_name;
  functions.jack_port_short_name = port_short_name;
  functions.jack_port_name_size = port_name_size;
  functions.jack_port_connected = port_connected;
  functions.jack_port_get_connections = port_get_connections;
  functions.jack_port_get_latency_range = port_get_latency_range;
  functions.jack_connect = connect_ports;
  functions.jack_free = free_names;
  functions.jack_get_time = get_time;
  functions.jack_frames_to_time = frames_to_time;
  return functions;
}

// MARK: What tests call

jack_client_t *fake_jack_client(void) {
  int index = atomic_fetch_add(&client_count, 1);
  if (index >= CLIENTS) return NULL;
  clients[index].clock = 1000;
  clients[index].frame_count = 256;
  return (jack_client_t *)(clients + index);
}

void fake_jack_miss(jack_client_t *handle, jack_nframes_t count) {
  struct client *client = (struct client *)handle;
  client->clock += count;
  if (client->state == JackTransportRolling) client->position.frame += count;
}

int fake_jack_cycle(jack_client_t *handle, jack_nframes_t count) {
  struct client *client = (struct client *)handle;
  int called = 0;
  if (!atomic_load(&client->is_active)) return 0;
  if (client->state == JackTransportStarting && client->sync) {
    client->was_ready = client->sync(client->state, &client->position, client->sync_argument);
    called++;
  }
  if (client->process) {
    client->process(count, client->process_argument);
    called++;
  }
  if (client->timebase) {
    client->timebase(client->state, count, &client->position, 0, client->timebase_argument);
    called++;
  }
  for (struct port *port = client->ports; port < client->ports + PORTS; port++) {
    if (port->is_input) port->event_count = port->lost_count = 0;
  }
  fake_jack_miss(handle, count);
  return called;
}

void fake_jack_transport(jack_client_t *handle, jack_transport_state_t state, jack_nframes_t frame) {
  ((struct client *)handle)->state = state;
  ((struct client *)handle)->position.frame = frame;
}

int fake_jack_was_ready(jack_client_t *client) { return ((struct client *)client)->was_ready; }
jack_position_t fake_jack_position(jack_client_t *client) { return ((struct client *)client)->position; }

jack_port_t *fake_jack_port(jack_client_t *client, const char *name) {
  struct port *ports = ((struct client *)client)->ports;
  for (int index = 0; index < PORTS; index++) {
    if (ports[index].is_registered && strcmp(ports[index].name, name) == 0) return (jack_port_t *)(ports + index);
  }
  return NULL;
}

const float *fake_jack_samples(jack_port_t *port) { return ((struct port *)port)->samples; }
int fake_jack_event_count(jack_port_t *port) { return ((struct port *)port)->event_count; }
struct fake_midi_event fake_jack_event(jack_port_t *port, int index) { return ((struct port *)port)->events[index]; }
int fake_jack_receive(jack_port_t *port, uint32_t time, const unsigned char *bytes, uint32_t count) {
  return midi_event_write(((struct port *)port)->samples, time, bytes, count);
}

void fake_jack_lose(jack_port_t *port, int count) { ((struct port *)port)->lost_count = count; }

int fake_jack_connection_count(jack_port_t *port) { return ((struct port *)port)->connection_count; }
const char *fake_jack_connection(jack_port_t *port) {
  return ((struct port *)port)->connection_count ? ((struct port *)port)->connections[0] : NULL;
}
void fake_jack_freeze(jack_client_t *client, int is_frozen) { atomic_store(&((struct client *)client)->is_frozen, is_frozen); }
int fake_jack_is_closed(jack_client_t *client) { return atomic_load(&((struct client *)client)->is_closed); }
void fake_jack_plant_malloc(jack_client_t *client) { ((struct client *)client)->plants = 1; }
