import DAWModel
import DAWStore
import DAWTime

/// An edit under way, in the words of the command line: it finds what names mean, plans the changes, and makes them.
///
/// Valid only within the closure of `Session.edit`. Whoever catches what one of its functions throws must give the whole
/// edit up by throwing.
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

  /// The project as it is now, this edit's own changes included.
  public var view: ProjectView { transaction.view }

  /// What the journal will say of the edit.
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

  package func newTrackID() throws -> TrackID { try transaction.newTrackID() }
  package func newRegionID() throws -> RegionID { try transaction.newRegionID() }
  package func newNoteID() throws -> NoteID { try transaction.newNoteID() }
  package func newEventID() throws -> EventID { try transaction.newEventID() }
  package func newTempoMarkID() throws -> TempoMarkID { try transaction.newTempoMarkID() }
  package func newMeterMarkID() throws -> MeterMarkID { try transaction.newMeterMarkID() }
  package func newKeyMarkID() throws -> KeyMarkID { try transaction.newKeyMarkID() }
  package func newMarkerID() throws -> MarkerID { try transaction.newMarkerID() }
  package func newAudioFileID() throws -> AudioFileID { try transaction.newAudioFileID() }
  package func newSoundFontID() throws -> SoundFontID { try transaction.newSoundFontID() }

  /// What joins the clocks now.
  package func tempoMap() throws -> TempoMap { try view.tempoMap() }
}
