// Tests of DAWEngine.
