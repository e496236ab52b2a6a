extension Schema {
  /// Changes nothing but the number.
  static let version8 = Migration(
    version: 8, sql: "", tables: version7.tables, factTables: version7.factTables, fingerprint: version7.fingerprint)
}
