// DAWRealtime: what the audio thread shares with other threads; no Foundation, no C library, nothing of plans or files.
