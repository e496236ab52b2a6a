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

  package func apply(_ edit: Edit) throws { try transaction.apply(edit) }

  /// A new id. The rows of a batch count up from it.
  package func newID<E: Entity>(of entity: E.Type = E.self) throws -> Identifier<E> {
    try transaction.newID(of: entity)
  }

  /// The current tempo map.
  package func tempoMap() throws -> TempoMap { try view.tempoMap() }
}
