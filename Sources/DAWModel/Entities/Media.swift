import DAWTime

/// The path of a media file, and how its bytes are recognized.
public struct MediaLocation: Hashable, Sendable {
  /// Relative to the project's folder for files inside it; absolute for linked files.
  public var path: String
  /// For linked files: the path relative to the project's folder, which is tried first.
  public var relativePath: String?
  /// SHA-256 of the bytes, 64 hexadecimal digits in lower case: the medium's identity.
  public var sha256: String
  public var byteCount: Int64
  /// In nanoseconds since 1970. If the time of the file differs, its hash is compared.
  public var modificationTime: Int64

  public init(path: String, relativePath: String? = nil, sha256: String, byteCount: Int64, modificationTime: Int64) {
    self.path = path
    self.relativePath = relativePath
    self.sha256 = sha256
    self.byteCount = byteCount
    self.modificationTime = modificationTime
  }

  public var isLinked: Bool { path.hasPrefix("/") }
}

extension MediaLocation {
  /// In bytes: PATH_MAX of Linux.
  static let maximumPathLength = 4096

  /// - Throws: `.mediaLocation`.
  public func validate() throws(RuleViolation) {
    try require(!path.isEmpty && relativePath != "", .mediaLocation, "an empty path")
    let length = max(path.utf8.count, relativePath?.utf8.count ?? 0)
    try require(length <= Self.maximumPathLength, .mediaLocation, "a path of \(length) bytes")
    try require(
      !path.unicodeScalars.contains("\0") && relativePath?.unicodeScalars.contains("\0") != true, .mediaLocation,
      "a path with a NUL character", of: path)
    try require(
      sha256.utf8.count == 64 && sha256.allSatisfy { $0.isASCII && $0.isHexDigit && !$0.isUppercase }, .mediaLocation,
      "the hash '\(sha256)'", of: path)
    try require(byteCount >= 0, .mediaLocation, "a size of \(byteCount) bytes", of: path)
  }

  fileprivate init(blank: ()) { self.init(path: "", sha256: "", byteCount: 0, modificationTime: 0) }

  /// - Returns: `false` if the value is not of the column's type.
  fileprivate mutating func assign<Value: StorableValue>(
    _ stored: StoredValue, to path: WritableKeyPath<MediaLocation, Value>
  ) -> Bool {
    guard let value = Value(stored: stored) else { return false }
    self[keyPath: path] = value
    return true
  }
}

/// A file that a project uses, identified by its bytes.
public protocol Medium: Entity {
  var location: MediaLocation { get set }
}

extension Medium {
  static var locationFields: [Field<Self>] {
    [
      Field("path", rule: .mediaLocation, value: { $0.location.path }) { $0.location.assign($1, to: \.path) },
      Field("relativePath", rule: .mediaLocation, value: { $0.location.relativePath }) {
        $0.location.assign($1, to: \.relativePath)
      },
      Field("sha256", rule: .mediaLocation, value: { $0.location.sha256 }) { $0.location.assign($1, to: \.sha256) },
      Field("byteCount", rule: .mediaLocation, value: { $0.location.byteCount }) {
        $0.location.assign($1, to: \.byteCount)
      },
      Field("modificationTime", rule: .mediaLocation, value: { $0.location.modificationTime }) {
        $0.location.assign($1, to: \.modificationTime)
      },
    ]
  }

  func requireUnique(in tables: some ModelTables) throws {
    try require(
      try tables.firstID(of: Self.self, where: "sha256", is: location.sha256, besides: id) == nil, .mediaIsOnce,
      "a second medium with the same bytes", of: subject)
  }
}

/// An audio file that regions play, or the sound of spoken comments.
public struct AudioFile: Hashable, Sendable, Identifiable {
  public var id: AudioFileID
  public var location: MediaLocation
  /// The exact length; `duration` is rounded down if the sample rate does not divide a second into flicks.
  public var frames: FrameCount
  public var sampleRate: SampleRate
  public var channelCount: Int
  /// For display: "WAV, 24-bit PCM".
  public var format: String

  public init(
    id: AudioFileID, location: MediaLocation, frames: FrameCount, sampleRate: SampleRate, channelCount: Int,
    format: String
  ) {
    self.id = id
    self.location = location
    self.frames = frames
    self.sampleRate = sampleRate
    self.channelCount = channelCount
    self.format = format
  }

  public var duration: FlickCount {
    let flicks = Int128(frames.frames) * Int128(FlickCount.perSecond) / Int128(max(1, sampleRate.hertz))
    return FlickCount(flicks: Int64(clamping: flicks))
  }
}

extension AudioFile: Medium {
  public static let kind = EntityKind.audioFile
  public static let noun = "audio file"
  public static let table = "audioFile"
  public static let collection: RowCollection<AudioFile>? = \Project.audioFiles

  public static let fields: [Field<AudioFile>] =
    locationFields + [
      Field("frames", \.frames, rule: .audioFileFacts),
      Field("sampleRate", \.sampleRate, rule: .audioFileFacts),
      Field("channelCount", \.channelCount, rule: .audioFileFacts),
      Field("format", \.format, rule: .audioFileFacts),
      Field("duration", rule: .audioFileFacts) { $0.duration.flicks },
    ]

  public init(blank id: AudioFileID) {
    self.init(
      id: id, location: MediaLocation(blank: ()), frames: .zero, sampleRate: SampleRate(hertz: 0), channelCount: 0,
      format: "")
  }

  /// In characters.
  static let maximumFormatLength = 255

  /// What messages call the row.
  public var subject: String { "audio file '\(location.path)'" }

  /// - Throws: the first rule that is broken.
  public func validate() throws(RuleViolation) {
    try requireID()
    try location.validate()
    try require(
      format.utf8.count <= Self.maximumFormatLength || format.unicodeScalars.count <= Self.maximumFormatLength,
      .audioFileFacts, "a format of \(format.unicodeScalars.count) characters", of: subject)
    try require(frames.frames > 0, .audioFileFacts, "a length of \(frames.frames) frames", of: subject)
    try require((1...1024).contains(channelCount), .audioFileFacts, "\(channelCount) channels", of: subject)
    try require((1...10_000_000).contains(sampleRate.hertz), .audioFileFacts, "\(sampleRate.hertz) Hz", of: subject)
    try require(TimelineLimit.contains(duration), .timelineEnd, "a length of \(duration.seconds) s", of: subject)
  }

  public func validate(in tables: some ModelTables, replacing old: AudioFile?) throws {
    try requireUnique(in: tables)
    guard old != nil else { return }
    for region in try tables.rows(Region.self, where: "audioFile", is: id) {
      try region.validate(on: tables.require(region.track), over: self)
    }
  }

  public static let isRemovalRestricted = true

  public func validateRemoval(from tables: some ModelTables) throws {
    try require(
      try tables.firstID(of: Region.self, where: "audioFile", is: id) == nil, .mediumIsUnused,
      "removing a file that regions play", of: subject)
    try require(
      try tables.firstID(of: Comment.self, where: "audioFile", is: id) == nil, .mediumIsUnused,
      "removing the sound of a comment", of: subject)
  }
}

/// A SoundFont that MIDI tracks play with.
public struct SoundFont: Hashable, Sendable, Identifiable {
  public var id: SoundFontID
  public var location: MediaLocation

  public init(id: SoundFontID, location: MediaLocation) {
    self.id = id
    self.location = location
  }
}

extension SoundFont: Medium {
  public static let kind = EntityKind.soundFont
  public static let noun = "SoundFont"
  public static let table = "soundFont"
  public static let fields = locationFields
  public static let collection: RowCollection<SoundFont>? = \Project.soundFonts

  public init(blank id: SoundFontID) {
    self.init(id: id, location: MediaLocation(blank: ()))
  }

  /// What messages call the row.
  public var subject: String { "SoundFont '\(location.path)'" }

  /// - Throws: the first rule that is broken.
  public func validate() throws(RuleViolation) {
    try requireID()
    try location.validate()
  }

  public func validate(in tables: some ModelTables, replacing old: SoundFont?) throws {
    try requireUnique(in: tables)
  }

  public static let isRemovalRestricted = true

  public func validateRemoval(from tables: some ModelTables) throws {
    try require(
      try tables.firstID(of: Instrument.self, where: "soundFont", is: id) == nil, .mediumIsUnused,
      "removing a SoundFont that tracks use", of: subject)
  }
}
