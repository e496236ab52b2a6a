import DAWErrors
import DAWModel
import DAWStore
import DAWTime

/// Resolves the positions that users name. Valid as long as the view that it was made from.
public struct Timeline {
  public let tempoMap: TempoMap
  public let sampleRate: SampleRate
  /// Asks where the project's player is.
  public typealias PlayheadSource = @Sendable () throws -> FlickPosition

  private let findEnd: () throws -> FlickPosition
  private let findMarkers: () throws -> [Marker]
  /// Thousands of lines of a batch may name markers, so that these are not looked for among all.
  private let findMarkersNamed: (String) throws -> [Marker]
  private let findMarkersWithID: (_ digits: String) throws -> [Marker]
  private let findRegion: (String) throws -> Region
  private let findPlayhead: PlayheadSource

  /// - Parameter playhead: where the project's player is; asked only for `@playhead`.
  public init(_ view: ProjectView, playhead: @escaping PlayheadSource) throws {
    let map = try view.tempoMap()
    tempoMap = map
    sampleRate = try view.header().settings.sampleRate
    findEnd = view.end
    findMarkers = view.markers
    findMarkersNamed = { try view.markers(named: $0).inOrder(map) }
    findMarkersWithID = { try view.rows(Marker.self, withIDReference: $0).inOrder(map) }
    findRegion = view.region(calledBy:)
    findPlayhead = playhead
  }

  /// - Parameter playhead: as for a view.
  public init(_ project: Project, playhead: @escaping PlayheadSource = Self.noPlayhead) {
    let map = project.tempoMap
    tempoMap = map
    sampleRate = project.settings.sampleRate
    findEnd = { project.regions.values.filter(\.isInUse).map { $0.endFlicks(in: map) }.max() ?? .zero }
    func markers() -> [Marker] { project.markers.values.sorted { $0.id < $1.id } }
    findMarkers = markers
    findMarkersNamed = { name in
      let key = Name.key(of: name)
      return markers().filter { $0.name.key == key }
    }
    findMarkersWithID = { digits in
      let ids = Set(ShortIDs.matching(Array(project.markers.keys), digits))
      return markers().filter { ids.contains($0.id) }
    }
    findRegion = project.region(calledBy:)
    findPlayhead = playhead
  }

  private init(_ other: Timeline, playhead: @escaping PlayheadSource) {
    tempoMap = other.tempoMap
    sampleRate = other.sampleRate
    findEnd = other.findEnd
    findMarkers = other.findMarkers
    findMarkersNamed = other.findMarkersNamed
    findMarkersWithID = other.findMarkersWithID
    findRegion = other.findRegion
    findPlayhead = playhead
  }

  /// The same timeline with a playhead.
  public func with(playhead: @escaping PlayheadSource) -> Timeline { Timeline(self, playhead: playhead) }

  /// For where no player is asked.
  @Sendable public static func noPlayhead() throws -> FlickPosition {
    throw Failure(.invalid, code: "invalidTime", "There is no playhead here. Nothing was changed.")
  }

  /// The end of the last region.
  public func end() throws -> FlickPosition { try findEnd() }

  /// Where the player is; during a count-in, the start.
  /// - Throws: `Failure` if there is none.
  public func playhead() throws -> TimelinePosition { .absolute(max(.zero, try findPlayhead())) }

  /// The position of a name: `start` and `end`, which always exist, a marker's name, `id:` and the end of its id,
  /// `playhead`, or a region's reference with `.start` or `.end` behind it. Case does not matter, and a marker's name
  /// goes before the others.
  /// - Returns: `nil` if there is no such name.
  /// - Throws: `Failure` if several markers or regions have the name, or there is no player.
  public func place(named name: String) throws -> TimelinePosition? {
    let key = Name.key(of: name)
    switch key {
    case "start": return .musical(.zero)
    case "end": return .absolute(try end())
    default: break
    }
    let id = try IDReference(name, isName: !findMarkersNamed(name).isEmpty)
    let found = if let digits = id?.forced { try findMarkersWithID(digits) } else { try findMarkersNamed(name) }
    if found.count > 1 { throw ambiguousMarker(name, found, in: tempoMap) }
    if let marker = found.first { return marker.start }
    if key == "playhead" { return try playhead() }
    guard let edge = RegionEdge(name) else { return nil }
    do {
      let region = try findRegion(edge.region)
      return edge.isEnd ? region.end(in: tempoMap) : region.start
    } catch let failure as Failure where failure.code == "regionNotFound" {
      return nil
    }
  }

  /// The error for a name that does not exist.
  public func notFound(_ name: String) throws -> Failure {
    if let edge = RegionEdge(name) {
      do { _ = try findRegion(edge.region) } catch let failure as Failure { return failure }
    }
    var failure = markerNotFound(name, among: try findMarkers().map(\.name.text))
    if let region = try? findRegion(name) {
      failure.hint = "Did you mean the region's '@\(name).start' or '@\(name).end'? (\(region.name) is no marker.)"
    }
    return failure
  }
}

extension [Marker] {
  /// In order of position on the absolute timeline, then of id.
  fileprivate func inOrder(_ map: TempoMap) -> [Marker] {
    count < 2 ? self : sorted { (map.flicks(at: $0.start), $0.id) < (map.flicks(at: $1.start), $1.id) }
  }
}

/// `Drums/Loop.end`: a region's reference, and one of its edges.
private struct RegionEdge {
  let region: String
  let isEnd: Bool

  /// `nil` for a text without an edge behind it.
  init?(_ text: String) {
    guard let point = text.lastIndex(of: "."), point > text.startIndex else { return nil }
    switch text[text.index(after: point)...].lowercased() {
    case "start": isEnd = false
    case "end": isEnd = true
    default: return nil
    }
    region = String(text[..<point])
  }
}
