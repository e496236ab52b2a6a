// DAWStore: the project in SQLite: schema, migrations, transactions and the journal; the only target that knows SQL, and
// it knows nothing of audio.
