import DAWErrors
import Glibc

/// Why a file cannot be written. Nothing with its final name is left half done, and a file that had the name is as it was.
public enum AudioFileWriteError: Error, Equatable, Sendable {
  /// There is a file of that name, and it was not asked to be replaced.
  case exists(path: String)
  /// The folder that it should lie in is not there.
  case noFolder(path: String)
  /// - Parameter kind: what is there under that name instead of a file.
  case notAFile(path: String, kind: String)
  /// A folder that was to be replaced holds more than what would come in its place.
  /// - Parameter name: of one thing in it.
  case holdsOtherThings(path: String, name: String)
  /// A link is in its place or on the way to it, below the folder that the user named.
  case isLink(path: String)
  case noPermission(path: String)
  case diskFull(path: String)
  /// The format has no place for a file of this length.
  case tooLong(path: String, format: String)
  /// The container cannot hold this encoding, rate or number of channels.
  case unsupported(path: String, format: String)
  /// As many frames were announced before the first was written, and another number came.
  case wrongLength(path: String, announced: Int64, written: Int64)
  /// The rate cannot be converted, in soxr's own words.
  case resampling(reason: String)
  case system(path: String, failure: SystemCallFailure)

  /// What was to be written; empty where the error is not about a file.
  public var path: String {
    switch self {
    case .resampling: ""
    case .exists(let path), .noFolder(let path), .isLink(let path), .noPermission(let path),
      .diskFull(let path):
      path
    case .holdsOtherThings(let path, _), .notAFile(let path, _), .tooLong(let path, _), .unsupported(let path, _),
      .wrongLength(let path, _, _),
      .system(let path, _):
      path
    }
  }
}

extension AudioFileWriteError {
  init(path: String, _ failure: SystemCallFailure) {
    self =
      switch failure.code {
      case EEXIST: .exists(path: path)
      case ENOENT, ENOTDIR: .noFolder(path: path)
      case EISDIR: .notAFile(path: path, kind: "a folder")
      case ENODEV: .notAFile(path: path, kind: "a device or a pipe")
      case ELOOP: .isLink(path: path)
      case EACCES, EPERM, EROFS: .noPermission(path: path)
      case ENOSPC, EDQUOT: .diskFull(path: path)
      default: .system(path: path, failure: failure)
      }
  }
}

extension AudioFileWriteError: CustomStringConvertible {
  public var description: String {
    switch self {
    case .exists(let path): "'\(path)' exists already, and was left as it is. Choose another name, or '--overwrite'."
    case .noFolder(let path):
      "There is no folder '\(Path.folder(of: path))' for '\(Path.name(of: path))'. Make it first."
    case .notAFile(let path, let kind): "'\(path)' is \(kind); a file cannot be put in its place. Choose another name."
    case .holdsOtherThings(let path, let name):
      "'\(path)' holds '\(name)', which would be lost, and was left as it is. Choose another name."
    case .isLink(let path):
      "'\(path)' is a link, and nothing is written through one. Put a file or folder in its place, or choose another."
    case .noPermission(let path): "'\(path)' may not be written. Choose another folder, or change its permissions."
    case .diskFull(let path): "The disk is full: '\(path)' was not written. Make room, then try again."
    case .tooLong(let path, let format): "'\(path)' would be longer than \(format) can hold. Choose WAV, which can."
    case .unsupported(let path, let format):
      "'\(path)' cannot be written as \(format). Choose WAV, or another bit depth."
    case .wrongLength(let path, let announced, let written):
      "'\(path)' was announced with \(announced) frames, but \(written) came. This is a fault of the program's own."
    case .resampling(let reason): "The sample rate cannot be converted: \(reason)."
    case .system(let path, let failure): "'\(path)' cannot be written (\(failure)). Check the disk, then try again."
    }
  }
}

extension AudioFileWriteError: DAWError {
  public var kind: ErrorKind { report.kind }
  public var code: String { report.code }

  private var report: (kind: ErrorKind, code: String) {
    switch self {
    case .exists, .holdsOtherThings: (.cannotCreate, "exists")
    case .isLink: (.cannotCreate, "isLink")
    case .noFolder, .notAFile, .noPermission: (.cannotCreate, "cannotCreate")
    case .unsupported: (.usage, "unsupportedFormat")
    case .tooLong: (.invalid, "tooLong")
    case .diskFull: (.io, "diskFull")
    case .wrongLength: (.internal, "internal")
    case .resampling: (.invalid, "unsupportedRate")
    case .system(_, let failure) where failure.code == EPIPE: (.io, Failure.readerIsGone)
    case .system: (.io, "io")
    }
  }
}
