// record: what one would otherwise write to record from JACK: the callback copies 64 mono inputs into a `jack_ringbuffer` of
// ten seconds each, and a thread writes them by libsndfile to WAV files of 24 bits. `daw record` is measured against it.
//
//   record FOLDER SECONDS SERVER        connects its inputs to a client `noise`, and records what comes from it
//   record --source SERVER              is that client, until it is ended
//   record --callback SECONDS           calls the callback without a server, one cycle after another
//
// Prints a line of JSON: by the thread's own CPU time, microseconds of the median and of the 99.9th percentile of a callback,
// and frames that were lost, of which there should be none.
#include <jack/jack.h>
#include <jack/ringbuffer.h>
#include <pthread.h>
#include <signal.h>
#include <sndfile.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

enum { CHANNELS = 64, RATE = 48000, BLOCK = 256, RING_SECONDS = 10, MOST_TIMES = 1 << 16 };

static jack_port_t *ports[CHANNELS];
static jack_ringbuffer_t *rings[CHANNELS];
static SNDFILE *files[CHANNELS];
static long times[MOST_TIMES];
static int time_count;
static atomic_long lost;
static atomic_int is_ending;
static float noise[2 * BLOCK * CHANNELS];

static long thread_nanoseconds(void) {
  struct timespec now;
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return now.tv_sec * 1000000000L + now.tv_nsec;
}

static int by_size(const void *a, const void *b) { return (*(long *)a > *(long *)b) - (*(long *)a < *(long *)b); }

static void capture(const float *const *inputs, int frames) {
  size_t bytes = frames * sizeof(float);
  for (int k = 0; k < CHANNELS; k++) {
    if (jack_ringbuffer_write(rings[k], (const char *)inputs[k], bytes) < bytes) atomic_fetch_add(&lost, frames);
  }
}

static int process(jack_nframes_t frames, void *context) {
  (void)context;
  long begin = thread_nanoseconds();
  const float *inputs[CHANNELS];
  for (int k = 0; k < CHANNELS; k++) inputs[k] = jack_port_get_buffer(ports[k], frames);
  capture(inputs, frames);
  if (time_count < MOST_TIMES) times[time_count++] = thread_nanoseconds() - begin;
  return 0;
}

static int send_noise(jack_nframes_t frames, void *context) {
  (void)context;
  for (int k = 0; k < CHANNELS; k++) memcpy(jack_port_get_buffer(ports[k], frames), noise + k * BLOCK, frames * sizeof(float));
  return 0;
}

static void drain(void) {
  static float samples[RATE];
  for (int k = 0; k < CHANNELS; k++) {
    size_t bytes;
    while ((bytes = jack_ringbuffer_read_space(rings[k]) / sizeof(float) * sizeof(float)) > 0) {
      if (bytes > sizeof samples) bytes = sizeof samples;
      jack_ringbuffer_read(rings[k], (char *)samples, bytes);
      if (files[k] && sf_write_float(files[k], samples, bytes / sizeof(float)) != (sf_count_t)(bytes / sizeof(float)))
        atomic_fetch_add(&lost, 1);
    }
  }
}

static void *write_files(void *context) {
  (void)context;
  while (!is_ending) {
    usleep(50000);
    drain();
  }
  drain();
  return NULL;
}

static void make_rings(void) {
  for (int k = 0; k < CHANNELS; k++) {
    rings[k] = jack_ringbuffer_create(RING_SECONDS * RATE * sizeof(float));
    memset(rings[k]->buf, 0, rings[k]->size);
  }
}

static int report(void) {
  qsort(times, time_count, sizeof *times, by_size);
  printf("{\"median\": %.3f, \"slowest\": %.3f, \"lost\": %ld}\n", times[time_count / 2] / 1e3,
         times[(long)time_count * 999 / 1000] / 1e3, (long)lost);
  return 0;
}

static int without_server(int seconds) {
  const float *inputs[CHANNELS];
  make_rings();
  for (int k = 0; k < CHANNELS; k++) inputs[k] = noise + k * BLOCK;
  for (int block = 0; block < seconds * RATE / BLOCK; block++) {
    long begin = thread_nanoseconds();
    capture(inputs, BLOCK);
    if (time_count < MOST_TIMES) times[time_count++] = thread_nanoseconds() - begin;
    if (block % 64 == 63) drain();
  }
  return report();
}

static jack_client_t *open_client(const char *name, const char *server, const char *port, unsigned long flags) {
  jack_client_t *client = jack_client_open(name, JackNoStartServer | JackServerName | JackUseExactName, NULL, server);
  for (int k = 0; client && k < CHANNELS; k++) {
    char full[32];
    snprintf(full, sizeof full, "%s_%d", port, k + 1);
    ports[k] = jack_port_register(client, full, JACK_DEFAULT_AUDIO_TYPE, flags, 0);
    if (!ports[k]) return NULL;
  }
  return client;
}

int main(int argc, char **argv) {
  unsigned state = 1;
  for (unsigned i = 0; i < sizeof noise / sizeof *noise; i++) {
    state = state * 1664525u + 1013904223u;
    noise[i] = (float)(int)state * 0x1p-32f;
  }
  if (argc == 3 && strcmp(argv[1], "--callback") == 0) return without_server(atoi(argv[2]));
  if (argc == 3 && strcmp(argv[1], "--source") == 0) {
    jack_client_t *client = open_client("noise", argv[2], "out", JackPortIsOutput);
    if (!client) return 69;
    jack_set_process_callback(client, send_noise, NULL);
    if (jack_activate(client) != 0) return 69;
    for (;;) pause();
  }
  if (argc != 4) {
    fprintf(stderr, "usage: record FOLDER SECONDS SERVER\n       record --source SERVER\n       record --callback SECONDS\n");
    return 64;
  }
  make_rings();
  for (int k = 0; k < CHANNELS; k++) {
    char path[1024];
    SF_INFO info = {.samplerate = RATE, .channels = 1, .format = SF_FORMAT_WAV | SF_FORMAT_PCM_24};
    snprintf(path, sizeof path, "%s/%d.wav", argv[1], k);
    if (!(files[k] = sf_open(path, SFM_WRITE, &info))) return 73;
  }
  jack_client_t *client = open_client("recorder", argv[3], "in", JackPortIsInput);
  if (!client) return 69;
  jack_set_process_callback(client, process, NULL);
  pthread_t writer;
  if (jack_activate(client) != 0 || pthread_create(&writer, NULL, write_files, NULL) != 0) return 69;
  for (int k = 0; k < CHANNELS; k++) {
    char from[32], to[32];
    snprintf(from, sizeof from, "noise:out_%d", k + 1);
    snprintf(to, sizeof to, "recorder:in_%d", k + 1);
    if (jack_connect(client, from, to) != 0) return 66;
  }
  sleep(atoi(argv[2]));
  jack_deactivate(client);
  is_ending = 1;
  pthread_join(writer, NULL);
  for (int k = 0; k < CHANNELS; k++) sf_close(files[k]);
  jack_client_close(client);
  return report();
}
