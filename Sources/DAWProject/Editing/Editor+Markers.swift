import DAWModel
import DAWStore
import DAWTime

/// Another place for a marker; `nil` keeps what there is.
public struct MarkerPlacement: Sendable {
  public var start: TimelinePosition?
  public var timeBase: TimeBase?
  /// `.some(nil)` removes it.
  public var length: LengthExpression??

  public init() {}

  /// A marker keeps its length in its own clock, converted if that changes.
  func apply(to marker: inout Marker, in map: TempoMap) throws {
    let oldLength = marker.length == nil ? nil : map.flicks(at: marker.end) - map.flicks(at: marker.start)
    let oldTicks: TickCount? = if case .musical(let ticks) = marker.length { ticks } else { nil }
    if let place = start ?? (timeBase == nil ? nil : marker.start) {
      marker.start =
        (timeBase ?? place.timeBase) == .musical
        ? .musical(map.ticks(at: place)) : .absolute(map.flicks(at: place))
    }
    if case .some(let expression) = length {
      marker.length =
        switch marker.start {
        case .musical(let ticks): try expression.map { .musical(try $0.ticks(map, ticks)) }
        case .absolute(let flicks): try expression.map { .absolute(try $0.flicks(map, flicks)) }
        }
    } else if let oldLength {
      marker.length =
        switch marker.start {
        case .musical(let ticks): .musical(oldTicks ?? map.ticks(at: map.flicks(at: ticks) + oldLength) - ticks)
        case .absolute: .absolute(oldLength)
        }
    }
  }
}

extension Editor {
  public func addMarker(
    _ name: String, _ change: Change<Marker> = Change(), _ placement: MarkerPlacement = MarkerPlacement()
  ) throws -> Marker {
    var marker = Marker(
      id: try newID(of: Marker.self), name: try Name(ofItem: name), start: .musical(.zero))
    change.apply(to: &marker)
    try placement.apply(to: &marker, in: tempoMap())
    try apply(.add(marker))
    note("Added marker '\(marker.name)'")
    return marker
  }

  public func setMarker(
    _ reference: String, _ change: Change<Marker>, _ placement: MarkerPlacement = MarkerPlacement()
  ) throws -> Marker {
    let old = try view.marker(calledBy: reference)
    var marker = change.applied(to: old)
    try placement.apply(to: &marker, in: tempoMap())
    try apply(.set(marker))
    note("Changed marker '\(old.name)'")
    return marker
  }

  public func removeMarkers(_ references: [String]) throws -> [Marker] {
    let whole = try references.completed(
      among: { try view.all(Marker.self).map(\.id) }, unless: { try !view.markers(named: $0).isEmpty })
    let markers = try whole.map(view.marker(calledBy:)).uniqued
    try apply(.remove(markers.map(\.id)))
    for marker in markers { note("Removed marker '\(marker.name)'") }
    return markers
  }
}
