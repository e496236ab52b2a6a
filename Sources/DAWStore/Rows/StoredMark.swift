import DAWModel
import DAWTime
import GRDB

/// A kind of mark as rows of a table.
protocol StoredMark: Entity {
  static var table: String { get }
  /// In the order of `arguments`, the id first.
  static var columnNames: [String] { get }
  /// - Parameter row: with the columns in order.
  init(row: Row) throws
  var arguments: StatementArguments { get }
  /// What `Edit` calls it.
  var mark: TimelineMark { get }
}

extension StoredMark {
  static var columns: String { columnNames.joined(separator: ", ") }
  static var insertSQL: String {
    "INSERT INTO \(table) (\(columns)) VALUES (\(columnNames.map { _ in "?" }.joined(separator: ", ")))"
  }
  static var updateSQL: String {
    let settings = columnNames.enumerated().dropFirst().map { "\($1) = ?\($0 + 1)" }
    return "UPDATE \(table) SET \(settings.joined(separator: ", ")) WHERE id = ?1"
  }
}

extension TempoMark: StoredMark {
  static let table = "tempoMark"
  static let columnNames = ["id", "startTime", "tempo", "isRamp"]
  var arguments: StatementArguments { [id.rawValue, position.ticks, tempo.nanoBPM, isRamp] }
  var mark: TimelineMark { .tempo(self) }

  init(row: Row) throws {
    self = try reading(row, of: Self.table) {
      let mark = TempoMark(
        id: TempoMarkID(rawValue: try row.decode(atIndex: 0)),
        position: TickPosition(ticks: try row.decode(atIndex: 1)), tempo: Tempo(nanoBPM: try row.decode(atIndex: 2)),
        isRamp: try row.flag(atIndex: 3))
      try mark.mark.validate()
      return mark
    }
  }
}

extension MeterMark: StoredMark {
  static let table = "meterMark"
  static let columnNames = ["id", "bar", "numerator", "denominator"]
  var arguments: StatementArguments { [id.rawValue, bar, timeSignature.numerator, timeSignature.denominator] }
  var mark: TimelineMark { .meter(self) }

  init(row: Row) throws {
    self = try reading(row, of: Self.table) {
      let mark = MeterMark(
        id: MeterMarkID(rawValue: try row.decode(atIndex: 0)), bar: try row.decode(atIndex: 1),
        timeSignature: TimeSignature(try row.decode(atIndex: 2), over: try row.decode(atIndex: 3)))
      try mark.mark.validate()
      return mark
    }
  }
}

extension KeyMark: StoredMark {
  static let table = "keyMark"
  static let columnNames = ["id", "startTime", "fifths", "isMinor"]
  var arguments: StatementArguments { [id.rawValue, position.ticks, fifths, isMinor] }
  var mark: TimelineMark { .key(self) }

  init(row: Row) throws {
    self = try reading(row, of: Self.table) {
      let mark = KeyMark(
        id: KeyMarkID(rawValue: try row.decode(atIndex: 0)), position: TickPosition(ticks: try row.decode(atIndex: 1)),
        fifths: try row.decode(atIndex: 2), isMinor: try row.flag(atIndex: 3))
      try mark.mark.validate()
      return mark
    }
  }
}

extension Marker: StoredMark {
  static let table = "marker"
  static let columnNames = ["id", "name", "kind", "timeBase", "startTime", "duration", "color", "nameKey"]
  var mark: TimelineMark { .marker(self) }

  var arguments: StatementArguments {
    let place =
      switch start {
      case .musical(let ticks): ticks.ticks
      case .absolute(let flicks): flicks.flicks
      }
    let duration: Int64? =
      switch length {
      case .musical(let ticks): ticks.ticks
      case .absolute(let flicks): flicks.flicks
      case nil: nil
      }
    return [
      id.rawValue, name.text, kind.rawValue, start.timeBase.rawValue, place, duration, color?.name, name.key,
    ]
  }

  init(row: Row) throws {
    self = try reading(row, of: Self.table) {
      let (kindName, timeBaseName): (String, String) = (try row.decode(atIndex: 2), try row.decode(atIndex: 3))
      let isMusical = try meaning(TimeBase(rawValue: timeBaseName), of: timeBaseName, .timeBase) == .musical
      let (place, duration): (Int64, Int64?) = (try row.decode(atIndex: 4), try row.decode(atIndex: 5))
      let marker = Marker(
        id: MarkerID(rawValue: try row.decode(atIndex: 0)), name: Name(unchecked: try row.decode(atIndex: 1)),
        kind: try meaning(Marker.Kind(rawValue: kindName), of: kindName, .markerKind),
        start: isMusical ? .musical(TickPosition(ticks: place)) : .absolute(FlickPosition(flicks: place)),
        length: duration.map { isMusical ? .musical(TickCount(ticks: $0)) : .absolute(FlickCount(flicks: $0)) },
        color: try (row.decode(atIndex: 6) as String?).map(Color.init(unchecked:)))
      try marker.mark.validate()
      return marker
    }
  }
}
