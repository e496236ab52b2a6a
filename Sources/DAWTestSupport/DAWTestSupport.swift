// DAWTestSupport: signals, comparisons, seeds and random projects for test targets; no product depends on it.
