// DAWModel: the project as values, every rule it obeys, and the edits that change it; knows nothing of SQLite, files on
// disk or the engine.
