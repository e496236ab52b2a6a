// DAWMedia: audio files in and out, their hashes, peaks and resampled copies; knows nothing of projects or playback.
