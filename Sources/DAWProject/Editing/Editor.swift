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
  /// The names of regions, by track, while regions are only added.
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
    try transaction.apply(edit)
    switch edit {
    case .add(.regions(let regions)): for region in regions { regionNames[region.track]?.insert(region.name) }
    case .set(.regions), .remove(.region, _), .remove(.track, _): regionNames = [:]
    default: break
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

  /// A new id. The rows of a batch count up from it.
  package func newID<E: Entity>(of entity: E.Type = E.self) throws -> Identifier<E> {
    try transaction.newID(of: entity)
  }

  /// The current tempo map.
  package func tempoMap() throws -> TempoMap { try view.tempoMap() }
}
