/// Metadata of a WAV: a Broadcast Wave extension, iXML and markers. Only a recording has a date, so that the same
/// bounce gives the same bytes.
public struct WaveDescription: Hashable, Sendable {
  /// ASCII, truncated to 256 characters.
  public var description: String
  /// ASCII, at most 32 characters.
  public var originator: String
  /// The first frame's position on the timeline, in frames at the file's rate.
  public var timeReference: Int64
  /// Set once it is known, before the file is finished.
  public var loudness: Loudness?
  /// Whether there is a `bext` chunk.
  public var hasExtension: Bool
  /// An iXML document; `nil` for no such chunk.
  public var xml: String?
  /// In order of frame; those beyond the file's 32-bit range are left out.
  public var markers: [WaveMarker]
  /// Local date and time of the first frame, `2026-11-22` and `14:03:07`; empty for none.
  var date = "", time = ""
  /// The body of a recorded segment's own chunk, of even length; empty for none.
  var segmentChunk: [UInt8] = []

  public init(
    description: String = "", originator: String = "", timeReference: Int64 = 0, hasExtension: Bool = true,
    xml: String? = nil, markers: [WaveMarker] = []
  ) {
    self.description = description
    self.originator = originator
    self.timeReference = timeReference
    self.hasExtension = hasExtension
    self.xml = xml
    self.markers = markers.filter { UInt32(exactly: $0.frame) != nil }
  }

  /// The chunks; their length only depends on the texts.
  func chunks(for format: AudioFileFormat) -> [UInt8] {
    (hasExtension ? Self.chunk("bext", extensionBody(for: format), filler: 0) : [])
      + (segmentChunk.isEmpty ? [] : Self.chunk(SegmentChunk.name, segmentChunk, filler: 0))
      + (xml.map { Self.chunk("iXML", Array($0.utf8), filler: UInt8(ascii: "\n")) } ?? [])
      + (markers.isEmpty ? [] : Self.chunk("cue ", cueBody, filler: 0) + Self.chunk("LIST", labelBody, filler: 0))
  }

  /// - SeeAlso: Microsoft and IBM, Multimedia Programming Interface and Data Specifications 1.0, "Cue-Points Chunk" and
  ///   "Associated Data Chunk".
  private var cueBody: [UInt8] {
    var body: [UInt8] = []
    body.append(littleEndian: UInt32(markers.count))
    for (index, marker) in markers.enumerated() {
      let frame = UInt32(clamping: marker.frame)
      body.append(littleEndian: UInt32(index + 1))
      body.append(littleEndian: frame)
      body.append(text: "data")
      body.append(littleEndian: UInt32(0))
      body.append(littleEndian: UInt32(0))
      body.append(littleEndian: frame)
    }
    return body
  }

  private var labelBody: [UInt8] {
    var body = Array("adtl".utf8)
    for (index, marker) in markers.enumerated() {
      var label: [UInt8] = []
      label.append(littleEndian: UInt32(index + 1))
      body += Self.chunk("labl", label + Array(marker.name.utf8) + [0], filler: 0)
    }
    return body
  }

  /// - SeeAlso: EBU Tech 3285, version 2, section 2.3; supplement 1 of its first edition for the coding history.
  private func extensionBody(for format: AudioFileFormat) -> [UInt8] {
    var body = Self.field(description, 256) + Self.field(originator, 32)
    // Originator reference: empty.
    body += [UInt8](repeating: 0, count: 32) + Self.field(date, 10) + Self.field(time, 8)
    body.append(littleEndian: UInt64(clamping: timeReference))
    body.append(littleEndian: UInt16(2))
    body += [UInt8](repeating: 0, count: 64)
    let unknown: Int16 = 0x7fff
    body.append(littleEndian: Self.hundredths(loudness?.integrated) ?? unknown)
    body.append(littleEndian: Self.hundredths(loudness?.range) ?? unknown)
    body.append(littleEndian: Self.hundredths(loudness?.truePeakLevel) ?? unknown)
    body.append(littleEndian: Self.hundredths(loudness?.maximumMomentary) ?? unknown)
    body.append(littleEndian: Self.hundredths(loudness?.maximumShortTerm) ?? unknown)
    body += [UInt8](repeating: 0, count: 180)
    let mode = format.channelCount == 1 ? "mono" : format.channelCount == 2 ? "stereo" : "multitrack"
    let history = "A=PCM,F=\(format.sampleRate.hertz),W=\(format.encoding.bitsPerSample),M=\(mode),T=daw\r\n"
    return body + Array(history.utf8)
  }

  private static func hundredths(_ value: Double?) -> Int16? {
    guard let value, value.isFinite, abs(value) < 300 else { return nil }
    return Int16((value * 100).rounded())
  }

  private static func field(_ text: String, _ length: Int) -> [UInt8] {
    let ascii = text.unicodeScalars.map { (0x20..<0x7f).contains($0.value) ? UInt8($0.value) : UInt8(ascii: "?") }
    return ascii.prefix(length) + [UInt8](repeating: 0, count: max(0, length - ascii.count))
  }

  /// Padded to even length inside of the chunk, because libsndfile's RF64 reader mishandles odd chunks.
  /// - Parameter filler: the padding byte.
  private static func chunk(_ name: String, _ body: [UInt8], filler: UInt8) -> [UInt8] {
    let body = body.count % 2 == 1 ? body + [filler] : body
    var chunk: [UInt8] = []
    chunk.append(text: name)
    chunk.append(littleEndian: UInt32(body.count))
    return chunk + body
  }
}

/// A named position in a file.
public struct WaveMarker: Hashable, Sendable {
  /// The file's frame, ≥ 0.
  public var frame: Int64
  public var name: String

  public init(frame: Int64, name: String) {
    self.frame = frame
    self.name = name
  }
}
