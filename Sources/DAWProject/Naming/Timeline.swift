import DAWErrors
import DAWModel
import DAWStore
import DAWTime

/// What turns the places that people name into places on a project's clocks. Valid as long as what it was made of.
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

  /// The first place behind everything.
  public func end() throws -> FlickPosition { try findEnd() }

  /// The place that a name means: `start` and `end`, which are always there, a marker's name, or `id:` and the ending of
  /// its id. Case does not matter.
  /// - Returns: `nil` where nothing is called so.
  /// - Throws: `Failure` where several markers are.
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

  /// What to say where nothing is called so.
  public func notFound(_ name: String) throws -> Failure {
    markerNotFound(name, among: try findMarkers().map(\.name.text))
  }
}
