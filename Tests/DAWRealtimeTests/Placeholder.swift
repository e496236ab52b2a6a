// Tests of DAWRealtime.
