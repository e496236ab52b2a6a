// Tests of DAWInstruments.
