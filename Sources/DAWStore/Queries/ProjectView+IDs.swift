import DAWModel
import GRDB

/// Ids of regions, notes and events, for listings that shorten them and for the ends of many.
extension ProjectView {
  package func regionIDs() throws -> [RegionID] {
    try Int64.fetchAll(database, sql: "SELECT id FROM \(Region.table)").map(RegionID.init(rawValue:))
  }

  public func noteIDs() throws -> [NoteID] {
    try Int64.fetchAll(database, sql: "SELECT id FROM \(MIDINote.table)").map(NoteID.init(rawValue:))
  }

  public func eventIDs() throws -> [EventID] {
    try Int64.fetchAll(database, sql: "SELECT id FROM \(RegionEvent.table)").map(EventID.init(rawValue:))
  }

  /// The notes whose UUID ends in these hexadecimal digits.
  /// - Parameter ending: 1 … 15 digits.
  public func notes(withIDEnding ending: String) throws -> [MIDINote] {
    try idEndingCondition(ending).map { try MIDINote.fetch("WHERE \($0) ORDER BY id", in: database) } ?? []
  }

  /// The events whose UUID ends in these hexadecimal digits.
  /// - Parameter ending: 1 … 15 digits.
  public func events(withIDEnding ending: String) throws -> [RegionEvent] {
    try idEndingCondition(ending).map { try RegionEvent.fetch("WHERE \($0) ORDER BY id", in: database) } ?? []
  }
}
