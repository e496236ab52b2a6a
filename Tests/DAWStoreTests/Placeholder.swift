// Tests of DAWStore.
