import DAWModel

/// The tables of a project file, and what marks the file as ours.
enum Schema {
  /// "dawp": SQLite's `application_id`, at byte 68 of the file.
  static let applicationID: Int32 = 0x6461_7770

  /// The model's tables, children first: what a changeset records, and the order that the session attaches them in.
  static let modelTables = ["midiNote", "region", "track", "audioFile", "soundFont", "project"]

  /// Version 1, as it was released. It is never edited: what comes later is a `Migration`.
  static let version1 = tables + triggers + outsideTriggers(for: modelTables)
}
