// DAWInstruments: FluidSynth as a source of the engine; knows nothing of the model, and is never called from the audio
// thread.
