import DAWBounce
import DAWErrors
import DAWMedia
import Foundation

/// What a file was made of, and how: enough to make it again and to say what has changed where it comes out otherwise.
/// It lies beside the file, as `mix.wav.json`.
public struct RenderManifest: Codable, Equatable, Sendable {
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
    /// Frames to each entry of `spans`: a second.
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

  public struct ProjectState: Codable, Equatable, Sendable {
    public var id: String
    public var name: String
    public var revision: Int64
    /// SHA-256 of the model's tables, as `ProjectView.dump` puts them into bytes.
    public var sha256: String
  }

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
  /// What was written. Of a folder of stems the bytes of all, and what `RenderManifest.File.init(ofFolder:_:)` says.
  public var file: File
  /// Of the mix, where there are stems.
  public var samples: Samples
  /// In the order of their tracks; `nil` where one file was written.
  public var stems: [Stem]?
  public var project: ProjectState
  /// The words after `daw bounce` that ask for the same again, without those that change no bit.
  public var arguments: [String]
  /// What they came to.
  public var settings: [String: String]
  public var media: [Medium]
  public var tracks: [Part]
  /// Of daw and of the libraries whose arithmetic is in the file.
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

  /// - Throws: `Failure` where there is none, or none that can be read.
  public static func read(beside file: String) throws -> RenderManifest {
    let path = path(beside: file)
    guard access(file, F_OK) == 0 else {
      throw Failure(.noInput, code: "fileNotFound", "There is no file '\(file)'.")
    }
    guard let bytes = FileManager.default.contents(atPath: path) else {
      throw Failure(
        .noInput, code: "noManifest", "There is no manifest '\(path)' that says what '\(file)' was made of.",
        hint: "'daw bounce --manifest' writes one beside the file.")
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
        .invalid, code: "badManifest", "'\(path)' is no manifest of a render, or is damaged.",
        hint: "'daw bounce --manifest' writes a new one.")
    }
  }

  /// What it calls files are names in one folder: a path would lead out of it.
  private func requireNames(_ path: String) throws {
    for name in [file.name] + (stems ?? []).map(\.file.name)
    where name.isEmpty || name == "." || name == ".." || name.contains("/") || name.contains("\0") {
      throw Failure(
        .invalid, code: "badManifest", "The manifest '\(path)' calls a file '\(name)', which is no name.",
        hint: "'daw bounce --manifest' writes a new one.")
    }
  }

  /// Writes it beside its file, whole or not at all.
  /// - Parameter replaces: whether an earlier one makes way.
  func write(beside file: Place, replaces: Bool) throws {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
    let place = Self.place(beside: file)
    do {
      try writeWholeFile([UInt8](encoder.encode(self) + Data("\n".utf8)), at: place, replaces: replaces)
    } catch {
      throw Failure(
        .io, code: "io", "The manifest '\(place.path)' could not be written. '\(file.path)' is complete.",
        hint: "Make room or choose another folder, and bounce again with --overwrite.")
    }
  }
}

extension RenderManifest.File {
  init(ofFile path: String) throws {
    let digest = try DAWMedia.sha256(ofFile: path)
    self.init(name: (path as NSString).lastPathComponent, byteCount: digest.byteCount, sha256: digest.sha256)
  }

  /// A folder is as its files are: the hash is over a line for each, its hash, two spaces, its name and a newline, which
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
