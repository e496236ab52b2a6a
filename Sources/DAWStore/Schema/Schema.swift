/// Constants of the schema.
enum Schema {
  /// "dawp": SQLite's `application_id`, at byte 68 of the file.
  static let applicationID: Int32 = 0x6461_7770

  /// The model's tables of version 1, children first: the tables that changesets record, in this order.
  static let modelTables = ["midiNote", "region", "track", "audioFile", "soundFont", "project"]

  static let journalTables = ["journalEntry", "journalState"]

  /// `SchemaListing.fingerprint` of version 1.
  static let version1Fingerprint = "dd1930ba8f73758717eeb03f2ac7b0cf97ab729a1820edec4b25e7042aa71e57"
}
