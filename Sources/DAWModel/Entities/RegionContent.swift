import DAWTime

/// Rows that belong to MIDI regions: notes and events. There may be millions.
public protocol RegionContent: Content where Owner == Region {
  var region: RegionID { get }
  /// From the region's start.
  var start: TickCount { get }
  /// Checks the rules that involve its region.
  /// - Throws: the first rule that is broken.
  func validate(in region: Region) throws(RuleViolation)
}

extension RegionContent {
  public static var parents: [ParentReference] { [ParentReference(.region, column: "region")] }
  public var owner: RegionID { region }
  public var place: Int64 { start.ticks }

  /// Checks rows. A region is fetched once for consecutive rows, since those of one region mostly come together.
  ///
  /// Each conformance calls it for `Entity.validate(_:in:areNew:)`: inlined there, its loop is compiled for the row's
  /// type.
  @inline(__always)
  static func validateContents(_ rows: [Self], in tables: some ModelTables, areNew: Bool) throws {
    if !areNew, let absent = try tables.firstAbsent(of: rows.map(\.id)) {
      throw EditError.missing(noun: noun, id: absent.uuidString)
    }
    var region: Region?
    for row in rows {
      if row.region != region?.id { region = try tables.require(row.region) }
      try row.validate()
      if let region { try row.validate(in: region) }
    }
  }
}
