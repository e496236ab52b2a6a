/// Why a stretch of a recorded pass was lost. The names are those in the files of recordings and in the project file.
public enum GapCause: String, CaseIterable, Codable, Sendable {
  /// The audio server's count of frames jumped.
  case xrun
  /// The ring between the audio thread and the writer was full.
  case overrun
  case diskFull
  case ioError
  /// The audio server was gone.
  case serverLost
  /// MIDI events were lost somewhere in the stretch. A ledger has records of their own for these, and no gap with this
  /// cause.
  case lostEvents
}
