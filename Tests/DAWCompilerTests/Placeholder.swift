// Tests of DAWCompiler.
