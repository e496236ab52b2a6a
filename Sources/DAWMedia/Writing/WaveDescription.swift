/// What a WAV says of itself beside its samples: a Broadcast Wave extension, iXML and markers. None carries the time of
/// day, so that the same bounce gives the same bytes.
public struct WaveDescription: Hashable, Sendable {
  /// ASCII, at most 256 characters; what is more is left out.
  public var description: String
  /// ASCII, at most 32 characters.
  public var originator: String
  /// Where the first frame lies on the timeline, in frames of the file.
  public var timeReference: Int64
  /// Put in when it is known, before the file is finished.
  public var loudness: Loudness?
  /// Whether there is a `bext` chunk.
  public var hasExtension: Bool
  /// An iXML document; `nil` for no such chunk.
  public var xml: String?
  /// In the order of their frames; those that the file has no number for are left out.
  public var markers: [WaveMarker]

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

  /// The chunks, always of the same length for the same texts.
  func chunks(for format: AudioFileFormat) -> [UInt8] {
    (hasExtension ? Self.chunk("bext", extensionBody(for: format), filler: 0) : [])
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
    // Originator's reference, date and time: not given.
    body += [UInt8](repeating: 0, count: 32 + 10 + 8)
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

  /// Of even length within: libsndfile's RF64 reader, for one, loses its place behind an odd one.
  /// - Parameter filler: may stand behind the body.
  private static func chunk(_ name: String, _ body: [UInt8], filler: UInt8) -> [UInt8] {
    let body = body.count % 2 == 1 ? body + [filler] : body
    var chunk: [UInt8] = []
    chunk.append(text: name)
    chunk.append(littleEndian: UInt32(body.count))
    return chunk + body
  }
}

/// A place in a file that has a name.
public struct WaveMarker: Hashable, Sendable {
  /// Of the file, ≥ 0.
  public var frame: Int64
  public var name: String

  public init(frame: Int64, name: String) {
    self.frame = frame
    self.name = name
  }
}
