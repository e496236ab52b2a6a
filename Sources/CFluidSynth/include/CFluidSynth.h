// CFluidSynth: FluidSynth's functions behind pointers, found at run time. A program that is linked with FluidSynth starts
// 5 ms later, for each of its commands; this one pays only where an instrument plays. Knows nothing of what is played.
#pragma once
#include <fluidsynth.h>

/// The functions that are used, in no order that matters; the header of libfluidsynth-dev declares their types.
#define CFLUIDSYNTH_FUNCTIONS(FUNCTION)    \
  FUNCTION(fluid_version_str)              \
  FUNCTION(fluid_set_log_function)         \
  FUNCTION(new_fluid_settings)             \
  FUNCTION(delete_fluid_settings)          \
  FUNCTION(fluid_settings_setint)          \
  FUNCTION(fluid_settings_setnum)          \
  FUNCTION(new_fluid_synth)                \
  FUNCTION(delete_fluid_synth)             \
  FUNCTION(fluid_synth_sfload)             \
  FUNCTION(fluid_synth_get_sfont_by_id)    \
  FUNCTION(fluid_synth_add_sfont)          \
  FUNCTION(fluid_synth_remove_sfont)       \
  FUNCTION(fluid_sfont_get_preset)         \
  FUNCTION(fluid_sfont_iteration_start)    \
  FUNCTION(fluid_sfont_iteration_next)     \
  FUNCTION(fluid_preset_get_banknum)       \
  FUNCTION(fluid_preset_get_num)           \
  FUNCTION(fluid_preset_get_name)          \
  FUNCTION(fluid_synth_program_select)     \
  FUNCTION(fluid_synth_noteon)             \
  FUNCTION(fluid_synth_noteoff)            \
  FUNCTION(fluid_synth_key_pressure)       \
  FUNCTION(fluid_synth_cc)                 \
  FUNCTION(fluid_synth_channel_pressure)   \
  FUNCTION(fluid_synth_pitch_bend)         \
  FUNCTION(fluid_synth_sysex)              \
  FUNCTION(fluid_synth_get_active_voice_count) \
  FUNCTION(fluid_synth_write_float)

/// FluidSynth, opened. Each member is the library's function of that name.
struct cfluidsynth {
#define CFLUIDSYNTH_MEMBER(name) __typeof__(name) *_Nonnull name;
  CFLUIDSYNTH_FUNCTIONS(CFLUIDSYNTH_MEMBER)
#undef CFLUIDSYNTH_MEMBER
};

/// Opens the library, which stays open until the process ends. A control thread, once.
/// Returns the functions; or NULL, and in `problem` the dynamic linker's sentence, valid until this thread calls it again.
const struct cfluidsynth *_Nullable cfluidsynth_open(const char *_Nullable *_Nonnull problem);
