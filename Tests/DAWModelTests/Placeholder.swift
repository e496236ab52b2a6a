// Tests of DAWModel.
