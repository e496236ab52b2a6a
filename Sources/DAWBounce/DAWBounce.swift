// DAWBounce: runs a plan without a clock and writes what comes out; knows nothing of the model.
