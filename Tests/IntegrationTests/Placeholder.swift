// Tests of the built daw.
