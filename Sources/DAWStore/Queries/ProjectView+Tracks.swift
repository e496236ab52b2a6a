import DAWModel
import GRDB

extension ProjectView {
  public func track(_ id: TrackID) throws -> Track? { try tables.track(id) }

  /// Case and Unicode form do not matter.
  public func track(named name: String) throws -> Track? {
    try tables.track(withNameKey: Name.key(of: name)).flatMap(tables.track)
  }

  /// In their order, the master last.
  public func tracks() throws -> [Track] { try fetch("ORDER BY orderKey, id") }

  public func soloedTracks() throws -> [Track] { try fetch("WHERE isSolo = 1 ORDER BY orderKey, id") }

  /// The master is always there.
  public func master() throws -> Track {
    try required(fetch("WHERE orderKey = '\(OrderKey.master.digits)' ORDER BY id LIMIT 1").first, "the master track")
  }

  /// Tracks whose UUID ends in these hexadecimal digits.
  /// - Parameter ending: 1 … 15 digits.
  public func tracks(withIDEnding ending: String) throws -> [Track] {
    try idEndingCondition(ending).map { try fetch("WHERE \($0) ORDER BY orderKey, id") } ?? []
  }

  private func fetch(_ rest: String) throws -> [Track] {
    try Row.fetchAll(database.cachedStatement(sql: "SELECT \(Track.columns) FROM track \(rest)")).map(Track.init(row:))
  }

  /// SQL for "the identifier's UUID ends in these digits".
  func idEndingCondition(_ ending: String) -> String? {
    let digits = ending.lowercased().filter { $0 != "-" }
    guard (1...15).contains(digits.count), digits.allSatisfy(\.isHexDigit), let value = Int64(digits, radix: 16)
    else { return nil }
    return "(id & \(Int64(1) << (4 * digits.count) - 1)) = \(value)"
  }
}
