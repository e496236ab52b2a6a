// Tests of DAWMedia.
