import DAWErrors
import Glibc

/// Why a file cannot be written. No incomplete file has its final name, and an existing file is unchanged.
public enum AudioFileWriteError: Error, Equatable, Sendable {
  /// The file exists, and was not to be replaced.
  case exists(path: String)
  /// Its folder does not exist.
  case noFolder(path: String)
  /// - Parameter kind: what has the name instead of a file.
  case notAFile(path: String, kind: String)
  /// A folder to be replaced contains other files than those it would be replaced by.
  /// - Parameter name: one of them.
  case holdsOtherThings(path: String, name: String)
  /// It, or a folder on the way below the one named by the user, is a link.
  case isLink(path: String)
  case noPermission(path: String)
  case diskFull(path: String)
  /// It takes more bytes than the disk has free.
  case noRoom(path: String, needed: Int64, free: Int64)
  /// The file is too long for its format.
  case tooLong(path: String, format: String)
  /// The container does not support this encoding, rate or number of channels.
  case unsupported(path: String, format: String)
  /// The number of frames differs from the one announced.
  case wrongLength(path: String, announced: Int64, written: Int64)
  /// Resampling failed; soxr's message.
  case resampling(reason: String)
  /// ffmpeg failed; its message.
  case encoder(path: String, reason: String)
  case system(path: String, failure: SystemCallFailure)
  /// A temporary file or folder could not be removed.
  /// - Parameter path: what is written, and whole, nonetheless; `nil` where nothing is.
  case leftBehind(path: String?, leftover: String, failure: SystemCallFailure)

  /// Whether what was to be written is there nonetheless.
  public var isWhole: Bool { if case .leftBehind(.some, _, _) = self { true } else { false } }

  /// The file's path; empty if the error does not concern a file.
  public var path: String {
    switch self {
    case .resampling: ""
    case .leftBehind(let path, let leftover, _): path ?? leftover
    case .exists(let path), .noFolder(let path), .isLink(let path), .noPermission(let path),
      .diskFull(let path):
      path
    case .holdsOtherThings(let path, _), .notAFile(let path, _), .tooLong(let path, _), .unsupported(let path, _),
      .noRoom(let path, _, _), .wrongLength(let path, _, _), .encoder(let path, _), .system(let path, _):
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
    case .noRoom(let path, let needed, let free):
      "'\(path)' takes at least \(needed >> 20) MiB, and its disk has \(free >> 20) MiB free. Nothing was written. Make "
        + "room, or write less."
    case .tooLong(let path, let format): "'\(path)' would be longer than \(format) can hold. Choose WAV, which can."
    case .unsupported(let path, let format):
      "'\(path)' cannot be written as \(format). Choose WAV, or another bit depth."
    case .wrongLength(let path, let announced, let written):
      "'\(path)' was announced with \(announced) frames, but \(written) came. This is a fault of the program's own."
    case .resampling(let reason): "The sample rate cannot be converted: \(reason)."
    case .encoder(let path, let reason): "'\(path)' was not written: ffmpeg failed (\(reason)). Choose another format."
    case .system(let path, let failure) where failure.code == EPIPE:
      "The reader of \(path) ended before all of the file was written."
    case .system(let path, let failure): "'\(path)' cannot be written (\(failure)). Check the disk, then try again."
    case .leftBehind(let path?, let leftover, let failure):
      "'\(path)' is written, and is whole, but '\(leftover)' could not be removed (\(failure)). Check the disk, then "
        + "remove it."
    case .leftBehind(nil, let leftover, let failure):
      "Nothing was written, and '\(leftover)' could not be removed (\(failure)). Check the disk, then remove it."
    }
  }
}

extension AudioFileWriteError: DAWError {
  public var kind: ErrorKind { report.kind }
  public var code: String { report.code }

  private var report: (kind: ErrorKind, code: String) {
    switch self {
    case .exists, .holdsOtherThings: (.cannotCreate, "alreadyExists")
    case .isLink: (.cannotCreate, "symbolicLink")
    case .noFolder, .notAFile, .noPermission: (.cannotCreate, "cannotCreate")
    case .unsupported: (.usage, "unsupportedFormat")
    case .tooLong: (.invalid, "tooLong")
    case .diskFull, .noRoom: (.io, "diskFull")
    case .wrongLength: (.internal, "internal")
    case .resampling: (.invalid, "unsupportedSampleRate")
    case .encoder: (.io, "encoderFailed")
    case .system(_, let failure) where failure.code == EPIPE: (.io, "outputFailed")
    case .system: (.io, "io")
    case .leftBehind: (.io, "leftoverFile")
    }
  }
}
