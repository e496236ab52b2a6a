// Tests of DAWSession.
