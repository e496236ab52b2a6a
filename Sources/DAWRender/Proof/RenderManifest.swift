import DAWBounce
import DAWErrors
import DAWMedia
import DAWModel
import DAWProject
import Foundation

/// The inputs and settings of a rendered file: enough to repeat it, and to name what changed when it differs.
/// It is written next to the file, as `mix.wav.json`.
public struct RenderManifest: Codable, Equatable, Sendable {
  /// A rendered file.
  public struct File: Codable, Equatable, Sendable {
    public var name: String
    public var byteCount: Int64
    public var sha256: String
  }

  /// The engine's samples: stereo, interleaved, 32-bit float, little-endian.
  public struct Samples: Codable, Equatable, Sendable {
    public var sha256: String
    public var frames: Int64
    public var sampleRate: Int
    /// Frames in each span of `spans`: one second.
    public var spanFrames: Int64
    /// The beginning of the SHA-256 of each span.
    public var spans: [String]
  }

  /// One file of a folder of stems.
  public struct Stem: Codable, Equatable, Sendable {
    /// The track's id.
    public var track: String
    public var file: File
    public var samples: Samples
  }

  /// The project at the revision that was rendered.
  public struct ProjectState: Codable, Equatable, Sendable {
    public var id: String
    public var name: String
    public var revision: Int64
    /// SHA-256 of the model's tables, as `ProjectView.dump` puts them into bytes.
    public var sha256: String
  }

  /// A file that the project plays.
  public struct Medium: Codable, Equatable, Sendable {
    public var path: String
    public var sha256: String
  }

  /// A track that is heard, or the master.
  public struct Part: Codable, Equatable, Sendable {
    public var id: String
    public var name: String
    /// SHA-256 of what it contributes: its regions or events, media, gains.
    public var sha256: String
  }

  public static let currentFormat = 1

  public var formatVersion = currentFormat
  /// The file written. For a folder of stems, the total bytes and the hash of `RenderManifest.File.init(ofFolder:_:)`.
  public var file: File
  /// The engine's samples of the file; where there are stems, of the mix.
  public var samples: Samples
  /// In the order of their tracks; `nil` where one file was written.
  public var stems: [Stem]?
  public var project: ProjectState
  /// Arguments of `daw bounce` that repeat it, without those that do not change the samples.
  public var arguments: [String]
  /// The settings resulting from them.
  public var settings: [String: String]
  public var media: [Medium]
  public var tracks: [Part]
  /// The versions of daw and of the libraries whose arithmetic is in the file.
  public var versions: [String: String]
  public var machine: Machine

  /// Where the manifest of a file, or of a folder of stems, lies.
  public static func path(beside file: String) -> String {
    var file = file
    while file.count > 1, file.hasSuffix("/") { file.removeLast() }
    return file + ".json"
  }

  static func place(beside file: Place) -> Place {
    file.names.isEmpty ? Place(path: path(beside: file.path)) : file.parent.appending(file.name + ".json")
  }

  /// - Throws: `Failure` when it is missing or cannot be read.
  public static func read(beside file: String) throws -> RenderManifest {
    let path = path(beside: file)
    guard access(file, F_OK) == 0 else {
      throw Failure(.noInput, code: "fileNotFound", "There is no file '\(file)'.")
    }
    guard access(path, R_OK) == 0 else {
      throw Failure(
        .noInput, code: "manifestNotFound", "There is no manifest '\(path)' that says what '\(file)' was made of.",
        hint: "'daw bounce --manifest' writes one beside the file.")
    }
    guard let bytes = SmallFile.contents(ofFile: path, upTo: maximumSize) else {
      throw Failure(
        .invalid, code: "invalidManifest", "'\(path)' cannot be read, or has more than \(maximumSize >> 20) MiB.",
        hint: "'daw bounce --manifest' writes a new one.")
    }
    do {
      let manifest = try JSONDecoder().decode(RenderManifest.self, from: bytes)
      guard manifest.formatVersion == currentFormat else {
        throw Failure(
          .invalid, code: "newerManifest", "The manifest '\(path)' is of format \(manifest.formatVersion).",
          hint: "This daw reads format \(currentFormat).")
      }
      try manifest.requireNames(path)
      return manifest
    } catch let failure as Failure {
      throw failure
    } catch {
      throw Failure(
        .invalid, code: "invalidManifest", "'\(path)' is no manifest of a render, or is damaged.",
        hint: "'daw bounce --manifest' writes a new one.")
    }
  }

  /// In bytes. The hashes of 24 stems that last a day have about 60 MB; other parts have some hundred bytes for each
  /// track and medium.
  private static let maximumSize = 64 << 20

  /// Bytes of a file's name on Linux.
  private static let maximumNameLength = 255

  /// Checks that file names are not paths, which could lead out of the folder.
  private func requireNames(_ path: String) throws {
    for name in [file.name] + (stems ?? []).map(\.file.name)
    where name.isEmpty || name == "." || name == ".." || name.contains("/") || name.contains("\0")
      || name.utf8.count > Self.maximumNameLength
    {
      throw Failure(
        .invalid, code: "invalidManifest",
        "The manifest '\(path)' calls a file '\(name.shortenedForMessage)', which is no name.",
        hint: "'daw bounce --manifest' writes a new one.")
    }
  }

  /// Writes it next to its file, atomically.
  /// - Parameter replaces: whether an existing one is replaced.
  func write(beside file: Place, replaces: Bool) throws {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
    let place = Self.place(beside: file)
    do {
      try writeWholeFile([UInt8](encoder.encode(self) + Data("\n".utf8)), at: place, replaces: replaces)
    } catch let error as AudioFileWriteError where error.isWhole {
      throw error
    } catch {
      throw Failure(
        .io, code: "io", "The manifest '\(place.path)' could not be written. '\(file.path)' is complete.",
        hint: "Make room or choose another folder, and bounce again with --overwrite.")
    }
  }
}

extension RenderManifest.File {
  /// - Parameter progress: in bytes.
  /// - Throws: `MediaWorkError`.
  init(ofFile path: String, progress: MediaProgress) throws {
    let digest = try DAWMedia.sha256(ofFile: path, progress: progress)
    self.init(name: (path as NSString).lastPathComponent, byteCount: digest.byteCount, sha256: digest.sha256)
  }

  /// The hash of a folder is over one line per file: its hash, two spaces, its name and a newline, which
  /// is what `sha256sum` prints.
  init(ofFolder path: String, _ files: [RenderManifest.File]) {
    var hash = StreamingSHA256()
    for file in files {
      var line = "\(file.sha256)  \(file.name)\n"
      line.withUTF8 { hash.update(UnsafeRawBufferPointer($0)) }
    }
    self.init(
      name: (path as NSString).lastPathComponent, byteCount: files.reduce(0) { $0 + $1.byteCount },
      sha256: hash.hexDigest())
  }
}
