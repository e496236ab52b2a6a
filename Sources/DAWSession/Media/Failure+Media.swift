import DAWMedia
import Glibc

extension Failure {
  init(_ error: AudioFileError) {
    let (kind, code): (Kind, String) =
      switch error {
      case .missing: (.noInput, "fileNotFound")
      case .notAFile: (.noInput, "notAFile")
      case .noPermission: (.noInput, "noPermission")
      case .system: (.io, "io")
      case .changedWhileRead: (.tryAgain, "changedWhileRead")
      default: (.invalid, "badAudioFile")
      }
    self.init(kind, code: code, error.description)
  }

  init(_ error: AudioFileWriteError) {
    let (kind, code): (Kind, String) =
      switch error {
      case .exists, .holdsOtherThings: (.cannotCreate, "exists")
      case .isLink: (.cannotCreate, "isLink")
      case .noFolder, .notAFile, .noPermission: (.cannotCreate, "cannotCreate")
      case .unsupported: (.usage, "unsupportedFormat")
      case .tooLong: (.invalid, "tooLong")
      case .diskFull: (.io, "diskFull")
      case .wrongLength: (.internal, "internal")
      case .resampling: (.invalid, "unsupportedRate")
      case .system(_, let failure) where failure.code == EPIPE: (.io, Self.readerIsGone)
      case .system: (.io, "io")
      }
    self.init(kind, code: code, error.description)
  }

  init(_ error: MIDIFileError) {
    switch error {
    case .file(let error): self.init(error)
    case .tooLarge: self.init(.invalid, code: "badMIDIFile", error.description)
    case .flaw(_, let flaw) where flaw.problem == .noTrack:
      self.init(.invalid, code: "badMIDIFile", "\(error) Nothing was changed.")
    case .flaw:
      self.init(
        .invalid, code: "badMIDIFile", "\(error) Nothing was changed.",
        hint: "--lenient takes what can be read, and lists the rest.")
    }
  }

  init(_ error: MIDIFileWriteError) {
    switch error {
    case .file(let error): self.init(error)
    case .tooManyTracks, .tooLong: self.init(.invalid, code: "tooLong", error.description)
    }
  }

  /// The code of what could not go on because nobody reads standard output any more.
  public static let readerIsGone = "readerIsGone"

  init(_ error: MediaWorkError) {
    switch error {
    case .reading(let error): self.init(error)
    case .writing(let error): self.init(error)
    default: self.init(.interrupted, code: "interrupted", error.description)
    }
  }
}
