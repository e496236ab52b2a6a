// DAWTestSupport: signals, comparisons, seeds and random projects for test targets; no product depends on it.
// Optimised in debug builds, too: loops over samples are here.
