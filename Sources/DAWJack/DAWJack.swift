// DAWJack: the engine as a client of a JACK server. It knows ports, cycles and JACK's transport, and nothing of projects.
