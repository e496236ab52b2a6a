// noise: distinct mono 24-bit WAV files at 48 kHz, the same ones everywhere.
//
//   noise FOLDER COUNT SECONDS
//
// Writes FOLDER/noise-00.wav and so on: white noise at half of full scale, by xorshift64*, seeded by the file's number.
// - SeeAlso: S. Vigna, An experimental exploration of Marsaglia's xorshift generators, scrambled, ACM TOMS 42, 2016.
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { RATE = 48000, BLOCK = 48000 };

static void put32(uint8_t *at, uint32_t value) { memcpy(at, &value, sizeof value); }

static void put_header(FILE *file, uint32_t bytes) {
  uint8_t header[44] = "RIFF....WAVEfmt \x10\0\0\0\x01\0\x01\0........\x03\0\x18\0data....";
  put32(header + 4, 36 + bytes);
  put32(header + 24, RATE);
  put32(header + 28, RATE * 3);
  put32(header + 40, bytes);
  fwrite(header, 1, sizeof header, file);
}

int main(int argc, char **argv) {
  if (argc != 4) {
    fprintf(stderr, "usage: noise FOLDER COUNT SECONDS\n");
    return 64;
  }
  int count = atoi(argv[2]), seconds = atoi(argv[3]);
  static uint8_t block[3 * BLOCK];
  for (int number = 0; number < count; number++) {
    char path[1024];
    snprintf(path, sizeof path, "%s/noise-%02d.wav", argv[1], number);
    FILE *file = fopen(path, "wb");
    if (!file) {
      perror(path);
      return 73;
    }
    put_header(file, 3u * RATE * seconds);
    uint64_t state = 0x9e3779b97f4a7c15u * (uint64_t)(number + 1);
    for (int second = 0; second < seconds; second++) {
      for (int i = 0; i < BLOCK; i++) {
        state ^= state >> 12;
        state ^= state << 25;
        state ^= state >> 27;
        int32_t sample = (int32_t)(state * 0x2545f4914f6cdd1du >> 32) >> 9;  // 23 bits: half of full scale
        for (int byte = 0; byte < 3; byte++) block[3 * i + byte] = (uint8_t)(sample >> (8 * byte));
      }
      fwrite(block, 1, sizeof block, file);
    }
    if (fclose(file) != 0) {
      perror(path);
      return 74;
    }
  }
  return 0;
}
