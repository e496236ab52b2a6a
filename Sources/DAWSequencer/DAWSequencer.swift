// DAWSequencer: sends a plan's ports to the ALSA sequencer, ahead of time, so that they meet the audio at the loudspeaker.
