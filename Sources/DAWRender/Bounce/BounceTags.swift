import DAWErrors
import DAWMedia
import DAWModel
import DAWProject
import Foundation

/// What a compressed file is to say of itself.
public struct BounceTags: Hashable, Sendable {
  public var title: String?
  public var artist: String?
  public var album: String?
  public var trackNumber: FileTags.TrackNumber?
  public var comment: String?
  /// The path of a JPEG or PNG.
  public var cover: String?
  /// The markers of the range become chapters.
  public var hasChapters = false

  public init() {}

  public var isEmpty: Bool { self == BounceTags() }

  /// Bytes of each text in UTF-8.
  private static let maximumByteCount = 4_000

  /// - Throws: `Failure` for a text that is empty, too long or has control characters.
  func validate() throws {
    for (name, text) in [("title", title), ("artist", artist), ("album", album), ("comment", comment)] {
      guard let text else { continue }
      // Comments may have lines.
      let allowed = name == "comment" ? "\n\t" : ""
      let isPlain = text.unicodeScalars.allSatisfy {
        $0.properties.generalCategory != .control || allowed.unicodeScalars.contains($0)
      }
      guard !text.isEmpty, text.utf8.count <= Self.maximumByteCount, isPlain else {
        throw Failure(
          .invalid, code: "invalidTag", "That is no text of a --\(name). Nothing was written.",
          hint: "It has 1 … \(Self.maximumByteCount) bytes, and no control characters.")
      }
    }
  }
}

extension Session {
  /// Reads the cover, and finds the chapters.
  /// - Throws: `Failure`.
  func tags(
    _ request: BounceRequest, _ prepared: PreparedBounce, _ format: AudioFileFormat
  ) throws -> FileTags {
    var tags = FileTags()
    tags.title = request.tags.title
    tags.artist = request.tags.artist
    tags.album = request.tags.album
    tags.trackNumber = request.tags.trackNumber
    tags.comment = request.tags.comment
    tags.cover = try request.tags.cover.map { try CoverImage.read(path: $0) }
    if request.tags.hasChapters { tags.chapters = try chapters(prepared, format) }
    return tags
  }

  /// The markers from the beginning of the range to its end, the tail excluded; each ends where the next begins.
  private func chapters(_ prepared: PreparedBounce, _ format: AudioFileFormat) throws -> [FileTags.Chapter] {
    let count = RateStage.frameCount(
      Int64(prepared.range.frames.count), from: prepared.plan.sampleRate, to: format.sampleRate)
    let markers = markers(prepared, format).filter { $0.frame < count }
    guard markers.count <= FileTags.maximumChapterCount else {
      throw Failure(
        .invalid, code: "tooManyChapters",
        "There are \(markers.count) markers, and a file has at most \(FileTags.maximumChapterCount) chapters. "
          + "Nothing was written.", hint: "Choose a shorter range with --from and --to, or remove some.")
    }
    func milliseconds(_ frame: Int64) -> Int64 { frame * 1_000 / Int64(format.sampleRate.hertz) }
    return markers.enumerated().map { index, marker in
      let next = index + 1 < markers.count ? markers[index + 1].frame : count
      return FileTags.Chapter(start: milliseconds(marker.frame), end: milliseconds(next), name: marker.name)
    }
  }
}

extension FileTags {
  /// Those of a stem.
  func naming(track: String) -> FileTags {
    var tags = self
    tags.title = title.map { "\($0): \(track)" }
    return tags
  }
}
