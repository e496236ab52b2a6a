import DAWErrors
import DAWModel
import DAWStore
import DAWTime

/// Resolves the positions that users name. Valid as long as the view that it was made from.
public struct Timeline {
  public let tempoMap: TempoMap
  public let sampleRate: SampleRate
  private let findEnd: () throws -> FlickPosition
  private let findMarkers: () throws -> [Marker]

  public init(_ view: ProjectView) throws {
    tempoMap = try view.tempoMap()
    sampleRate = try view.header().settings.sampleRate
    findEnd = view.end
    findMarkers = view.markers
  }

  public init(_ project: Project) {
    let map = project.tempoMap
    tempoMap = map
    sampleRate = project.settings.sampleRate
    findEnd = { project.regions.values.map { $0.endFlicks(in: map) }.max() ?? .zero }
    findMarkers = { project.markers.values.sorted { $0.id < $1.id } }
  }

  /// The end of the last region.
  public func end() throws -> FlickPosition { try findEnd() }

  /// The position of a name: `start` and `end`, which always exist, a marker's name, or `id:` and the end of its id.
  /// Case does not matter.
  /// - Returns: `nil` if there is no such name.
  /// - Throws: `Failure` if several markers have the name.
  public func place(named name: String) throws -> TimelinePosition? {
    switch Name.key(of: name) {
    case "start": return .musical(.zero)
    case "end": return .absolute(try end())
    default: break
    }
    let digits = IDReference(name).flatMap(\.forced)?.lowercased().filter { $0 != "-" }
    let key = Name.key(of: name)
    let found = try findMarkers().filter { marker in
      digits.map { ShortIDs.digits(marker.id).hasSuffix($0) } ?? (marker.name.key == key)
    }
    if found.count > 1 { throw ambiguousMarker(name, found, in: tempoMap) }
    return found.first?.start
  }

  /// The error for a name that does not exist.
  public func notFound(_ name: String) throws -> Failure {
    markerNotFound(name, among: try findMarkers().map(\.name.text))
  }
}
