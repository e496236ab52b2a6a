// DAWSession: where store, media, compiler and engine meet: every task of the command line as one function; knows
// nothing of options, terminals or exit statuses.
