// Tests of DAWBounce.
