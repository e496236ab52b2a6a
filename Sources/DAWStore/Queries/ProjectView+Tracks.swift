import DAWModel
import GRDB

extension ProjectView {
  public func track(_ id: TrackID) throws -> Track? { try tables.row(id) }

  /// Ignores case and Unicode form.
  public func track(named name: String) throws -> Track? {
    try fetch("WHERE nameKey = ?", [Name.key(of: name)]).first
  }

  /// In order of `orderKey`, the master last.
  public func tracks() throws -> [Track] { try fetch("ORDER BY orderKey, id") }

  /// A track's index in `tracks()`, from 0.
  public func index(of track: Track) throws -> Int {
    try Int.fetchOne(
      database.cachedStatement(sql: "SELECT count(*) FROM track WHERE (orderKey, id) < (?, ?)"),
      arguments: [track.orderKey.digits, track.id.rawValue]) ?? 0
  }

  /// The number of tracks without the master and without `track`.
  public func trackCount(besides track: TrackID? = nil) throws -> Int {
    try Int.fetchOne(
      database.cachedStatement(sql: "SELECT count(*) FROM track WHERE orderKey <> ? AND id <> ?"),
      arguments: [OrderKey.master.digits, track?.rawValue ?? 0]) ?? 0
  }

  /// The order keys of consecutive tracks, without the master and without `track`.
  /// - Parameter places: indices among those tracks, from 0.
  public func orderKeys(_ places: Range<Int>, besides track: TrackID? = nil) throws -> [OrderKey] {
    try String.fetchAll(
      database.cachedStatement(
        sql: "SELECT orderKey FROM track WHERE orderKey <> ? AND id <> ? ORDER BY orderKey, id LIMIT ? OFFSET ?"),
      arguments: [OrderKey.master.digits, track?.rawValue ?? 0, places.count, places.lowerBound]
    ).map(OrderKey.init(unchecked:))
  }

  /// The SoundFont of the first track that has one.
  public func firstSoundFontOfTracks() throws -> SoundFontID? {
    try Int64.fetchOne(
      database.cachedStatement(
        sql: """
          SELECT soundFont FROM instrument JOIN track USING (id) WHERE soundFont IS NOT NULL
            ORDER BY orderKey, id LIMIT 1
          """)
    ).map(SoundFontID.init(rawValue:))
  }

  /// The number of regions of each track; tracks without regions are left out.
  public func regionCounts() throws -> [TrackID: Int] {
    let rows = try Row.fetchCursor(
      database.cachedStatement(sql: "SELECT track, count(*) FROM region GROUP BY track"))
    var counts: [TrackID: Int] = [:]
    while let row = try rows.next() {
      counts[TrackID(rawValue: try row.decode(atIndex: 0))] = try row.decode(atIndex: 1)
    }
    return counts
  }

  /// The number of a track's regions.
  public func regionCount(of track: TrackID) throws -> Int {
    try Int.fetchOne(
      database.cachedStatement(sql: "SELECT count(*) FROM region WHERE track = ?"), arguments: [track.rawValue]) ?? 0
  }

  /// The master is always there.
  public func master() throws -> Track {
    try required(fetch("WHERE orderKey = '\(OrderKey.master.digits)' ORDER BY id LIMIT 1").first, "the master track")
  }

  /// Tracks whose UUID ends in these hexadecimal digits.
  /// - Parameter ending: 1 … 15 digits.
  public func tracks(withIDEnding ending: String) throws -> [Track] {
    try idEndingCondition(ending).map { try fetch("WHERE \($0) ORDER BY orderKey, id") } ?? []
  }

  /// The number of tracks whose UUID ends in these hexadecimal digits.
  /// - Parameter ending: 1 … 15 digits.
  public func trackCount(withIDEnding ending: String) throws -> Int { try count(of: Track.self, withIDEnding: ending) }

  /// The number of regions whose UUID ends in these hexadecimal digits.
  /// - Parameter ending: 1 … 15 digits.
  public func regionCount(withIDEnding ending: String) throws -> Int {
    try count(of: Region.self, withIDEnding: ending)
  }

  /// The number of takes whose UUID ends in these hexadecimal digits.
  /// - Parameter ending: 1 … 15 digits.
  public func takeCount(withIDEnding ending: String) throws -> Int { try count(of: Take.self, withIDEnding: ending) }

  /// The table is read once for the first such question about an entity: no index has the end of an id.
  private func count<E: Entity>(of entity: E.Type, withIDEnding ending: String) throws -> Int {
    guard let condition = idEndingCondition(ending) else { return 0 }
    guard ending.utf8.count == 6, let bits = Int64(ending, radix: 16) else {
      return try Int.fetchOne(database, sql: "SELECT count(*) FROM \(E.table) WHERE \(condition)") ?? 0
    }
    if memory.endings[E.kind] == nil {
      var counts: [Int64: Int] = [:]
      try StatementRow.forEach("SELECT id FROM \(E.table)", in: database) {
        counts[$0.integer(0) & ViewMemory.endingBits, default: 0] += 1
      }
      memory.endings[E.kind] = counts
    }
    return memory.endings[E.kind]?[bits] ?? 0
  }

  /// - Returns: `nil` if the track has none.
  public func instrument(of track: TrackID) throws -> Instrument? {
    try Instrument.fetchOne(InstrumentID(of: track), in: database)
  }

  /// The names of the tracks that use each SoundFont, in the tracks' order.
  public func trackNamesBySoundFont() throws -> [SoundFontID: [String]] {
    let users = Dictionary(grouping: try all(Instrument.self), by: \.soundFont)
    let tracks = try tracks()
    return users.reduce(into: [:]) { names, user in
      guard let font = user.key else { return }
      let ids = Set(user.value.map(\.track))
      names[font] = tracks.filter { ids.contains($0.id) }.map(\.name.text)
    }
  }

  private func fetch(_ rest: String, _ arguments: StatementArguments = []) throws -> [Track] {
    try Track.fetch(rest, arguments, in: database)
  }

  /// An SQL condition: the identifier's UUID ends in these digits.
  func idEndingCondition(_ ending: String) -> String? {
    let digits = ending.lowercased().filter { $0 != "-" }
    guard (1...15).contains(digits.count), digits.allSatisfy(\.isHexDigit), let value = Int64(digits, radix: 16)
    else { return nil }
    return "(id & \(Int64(1) << (4 * digits.count) - 1)) = \(value)"
  }
}
