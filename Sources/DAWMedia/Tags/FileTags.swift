/// What a compressed file says of itself: its tags, cover and chapters. It holds nothing else: no date, path or user.
public struct FileTags: Hashable, Sendable {
  public var title: String?
  public var artist: String?
  public var album: String?
  public var trackNumber: TrackNumber?
  public var comment: String?
  public var cover: CoverImage?
  /// In order, at most `maximumChapterCount`.
  public var chapters: [Chapter] = []

  public init() {}

  public var isEmpty: Bool { self == FileTags() }

  /// What ID3 can list, whose count is one byte.
  public static let maximumChapterCount = 255

  /// A part of the file with a name.
  public struct Chapter: Hashable, Sendable {
    /// Milliseconds from the file's start.
    public var start: Int64
    /// Milliseconds, at least `start`.
    public var end: Int64
    public var name: String

    public init(start: Int64, end: Int64, name: String) {
      self.start = start
      self.end = end
      self.name = name
    }
  }

  /// A place in an album: `3`, or `3/12`.
  public struct TrackNumber: Hashable, Sendable, CustomStringConvertible {
    public var number: Int
    public var total: Int?

    public init(number: Int, total: Int?) {
      self.number = number
      self.total = total
    }

    public var description: String { total.map { "\(number)/\($0)" } ?? "\(number)" }
  }
}

extension AudioFileFormat.Container {
  /// Whether it has a place for `FileTags`.
  public var takesTags: Bool {
    switch self {
    case .wave, .rf64, .aiff: false
    case .flac, .vorbis, .opus, .mp3, .m4a: true
    }
  }
}

extension FileTags {
  /// Puts the tags, if there are any, into a complete file, which may have none.
  /// - Parameter number: open for reading and writing.
  func put(intoFile number: Int32, _ container: AudioFileFormat.Container) throws(SystemCallFailure) {
    // libsndfile does not read an MP3 with an empty ID3 tag.
    guard !isEmpty else { return }
    switch container {
    case .mp3: try FileHead.replace(0, with: ID3Tag.bytes(of: self), inFile: number)
    case .flac: try FLACMetadata.put(self, intoFile: number)
    case .vorbis:
      try OggHeaders.put(self, intoFile: number, packetCount: 3, magic: [3] + Array("vorbis".utf8), framing: [1])
    case .opus: try OggHeaders.put(self, intoFile: number, packetCount: 2, magic: Array("OpusTags".utf8), framing: [])
    // ffmpeg has written M4A's.
    case .wave, .rf64, .aiff, .m4a: break
    }
  }
}
