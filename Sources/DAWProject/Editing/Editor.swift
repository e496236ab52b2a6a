import DAWModel
import DAWStore
import DAWTime

/// An edit in progress, at the level of the command line: resolves references, computes the changes and applies them.
///
/// Valid only within the closure of `Session.edit`. If one of its functions throws, the whole edit must be abandoned by
/// throwing.
public final class Editor {
  private var transaction: ProjectTransaction
  public let folder: ProjectFolder
  package let incoming: IncomingMedia
  private var lines: [String] = []
  /// The names of regions, by track, while none loses its name or its track.
  private var regionNames: [TrackID: FreeNames] = [:]

  init(transaction: ProjectTransaction, folder: ProjectFolder, incoming: IncomingMedia) {
    self.transaction = transaction
    self.folder = folder
    self.incoming = incoming
  }

  /// The current state, including this edit's changes.
  public var view: ProjectView { transaction.view }

  /// The journal's description of the edit.
  var summary: String {
    switch lines.count {
    case 0: ""
    case 1: lines[0]
    default: "\(lines[0]) and \(lines.count - 1) more"
    }
  }

  /// Adds a line to the summary: "Added track 'Bass'".
  package func note(_ line: String) { lines.append(line) }

  /// Another of several commands that are one edit begins.
  public func beginCommand() { transaction.beginCommand() }

  package func apply(_ edit: Edit) throws {
    let keepsNames = try keepsRegionNames(edit)
    try transaction.apply(edit)
    if case .add(let rows) = edit {
      for region in rows.of(Region.self) ?? [] { regionNames[region.track]?.insert(region.name) }
    } else if !keepsNames {
      regionNames = [:]
    }
  }

  /// Whether every region that is there keeps its name and its track.
  private func keepsRegionNames(_ edit: Edit) throws -> Bool {
    switch edit {
    case .setProject, .add: return true
    case .set(let rows):
      guard !regionNames.isEmpty else { return true }
      return try (rows.of(Region.self) ?? []).allSatisfy { region in
        let old = try view.region(region.id)
        return old?.name == region.name && old?.track == region.track
      }
    case .remove(let kind, _): return !EntityKind.region.removers.contains(kind)
    }
  }

  /// Finds names that no other region of the track has, derived from `names`.
  package func freeNames(_ names: [Name], on track: TrackID) throws -> [Name] {
    var free = try regionNames[track] ?? FreeNames(taken: view.regionNameKeys(on: track))
    regionNames[track] = free
    return names.map { free.take($0) }
  }

  /// A name that no other region of the track has, derived from `name`.
  package func freeName(_ name: Name, on track: TrackID) throws -> Name {
    if regionNames[track] == nil {
      guard try !view.regions(named: name.text, on: track).isEmpty else { return name }
      regionNames[track] = FreeNames(taken: try view.regionNameKeys(on: track))
    }
    return regionNames[track]?.free(name) ?? name
  }

  /// Puts jobs into the queue if the edit is made; they are no part of it.
  package func add(_ jobs: [Job]) throws -> [Job] { try transaction.add(jobs) }

  /// Saves facts about a recording if the edit is made; they are no part of it.
  package func replace(_ facts: RecordingFacts) throws { try transaction.replace(facts) }

  /// A new id. The rows of a batch count up from it.
  package func newID<E: Entity>(of entity: E.Type = E.self) throws -> Identifier<E> {
    try transaction.newID(of: entity)
  }

  /// The current tempo map.
  package func tempoMap() throws -> TempoMap { try view.tempoMap() }
}
