// Tests of DAWTime.
