// DAWTime: positions, distances, rates, and the tempo map that joins the clocks; knows nothing of audio, files or the
// model.
