/// Reads the chunks of a MIDI file. Terminates and stays within bounds for any input.
struct MIDIFileReader {
  let bytes: [UInt8]
  var isLenient: Bool
  var flaws = MIDIFileFlaws()
  /// How often the bytes after a track's stated end may be tried as events; each attempt may read the rest of the file.
  var triesBeyondEnds = 16
  /// The end of the MIDI file: of the bytes, or of the RIFF chunk around it.
  private var end: Int

  init(bytes: [UInt8], isLenient: Bool) {
    self.bytes = bytes
    self.isLenient = isLenient
    end = bytes.count
  }

  mutating func read() throws(MIDIFileFlaw) -> MIDIFile {
    var offset = unwrapped()
    if !isChunk("MThd", at: offset) {
      guard found(at: offset) != Array("MThd".utf8) else { throw MIDIFileFlaw(.headerCut, at: end) }
      try note(.noHeader(found: found(at: offset)), at: offset)
      guard let later = nextChunk("MThd", from: offset) else {
        throw MIDIFileFlaw(.noHeader(found: found(at: offset)), at: offset)
      }
      offset = later
    }
    let header = try readHeader(at: offset)
    var file = MIDIFile(format: header.format, division: header.division)
    // Capacity for as many as the bytes can hold; unused memory is never touched.
    file.tracks.reserveCapacity(min((end - header.end) / 8 + 1, MIDIFile.maximumTrackCount))
    try readChunks(from: header.end, into: &file)
    if file.tracks.isEmpty { try note(.noTrack, at: end) }
    if header.trackCount != file.tracks.count {
      try note(.trackCount(promised: header.trackCount, found: file.tracks.count), at: offset + 10)
    }
    if file.format == .single, file.tracks.count > 1 { try note(.severalTracksInFormat0, at: offset + 8) }
    return file
  }

  /// Records a flaw, or throws it if the file is refused for it.
  mutating func note(_ problem: MIDIFileFlaw.Problem, at offset: Int) throws(MIDIFileFlaw) {
    let flaw = MIDIFileFlaw(problem, at: offset)
    guard isLenient || !flaw.isSerious else { throw flaw }
    flaws.append(flaw)
  }
}

// MARK: - Header and chunks

extension MIDIFileReader {
  /// The start of the MIDI file; in a RIFF file, of its chunk `data`.
  private mutating func unwrapped() -> Int {
    guard bytes.count >= 20, name(at: 0) == "RIFF", name(at: 8) == "RMID" else { return 0 }
    var offset = 12
    while offset + 8 <= bytes.count {
      // RIFF is little-endian, with chunks padded to even length.
      let count = (0..<4).reduce(0) { $0 | Int(bytes[offset + 4 + $1]) << (8 * $1) }
      if name(at: offset) == "data" {
        end = min(offset + 8 + count, bytes.count)
        return offset + 8
      }
      offset += 8 + count + count % 2
    }
    return 0
  }

  private struct Header {
    var format: MIDIFile.Format
    var trackCount: Int
    var division: MIDIFileDivision
    var end: Int
  }

  private mutating func readHeader(at offset: Int) throws(MIDIFileFlaw) -> Header {
    guard offset + 14 <= end else { throw MIDIFileFlaw(.headerCut, at: end) }
    let count = chunkLength(at: offset)
    if count < 6 { try note(.headerTooShort(byteCount: count), at: offset + 4) }
    if count > 6 { try note(.longHeader(byteCount: count), at: offset + 4) }
    let number = uint16(at: offset + 8)
    var format = MIDIFile.Format(rawValue: number)
    if format == nil {
      try note(.unknownFormat(number), at: offset + 8)
      format = .simultaneous
    }
    let bits = UInt16(uint16(at: offset + 12))
    var division = MIDIFileDivision(bits: bits)
    if division == nil {
      try note(.division(bits: bits), at: offset + 12)
      division = .assumed
    }
    let headerEnd = offset + 8 + max(6, count)
    return Header(
      format: format ?? .simultaneous, trackCount: uint16(at: offset + 10), division: division ?? .assumed,
      end: headerEnd <= end ? headerEnd : offset + 14)
  }

  private mutating func readChunks(from start: Int, into file: inout MIDIFile) throws(MIDIFileFlaw) {
    var offset = start
    while offset < end {
      if isChunk("MTrk", at: offset) {
        guard file.tracks.count < MIDIFile.maximumTrackCount else {
          try note(.tooManyTracks, at: offset)
          return
        }
        var reader = MIDITrackReader(file: self, chunk: offset, end: end)
        try reader.read()
        self = reader.file
        file.tracks.append(reader.track)
        offset = reader.next
      } else if isAnyChunk(at: offset) {
        let count = chunkLength(at: offset)
        try note(.skippedChunk(name: name(at: offset), byteCount: count), at: offset)
        offset += 8 + count
      } else if let next = nextChunk("MTrk", from: offset + 1) {
        // A single extra byte is padding, as in other chunk formats.
        if next - offset > 1 { try note(.noChunk(found: found(at: offset)), at: offset) }
        try note(.skippedBytes(count: next - offset), at: offset)
        offset = next
      } else {
        if isCutName(at: offset) { try note(.trackCut, at: end) }
        try note(.skippedBytes(count: end - offset), at: offset)
        return
      }
    }
  }
}

// MARK: - Bytes

extension MIDIFileReader {
  /// Whether a chunk with this name begins here; its length is not checked.
  func isChunk(_ name: StaticString, at offset: Int) -> Bool {
    guard offset + 8 <= end else { return false }
    return name.withUTF8Buffer { text in text.indices.allSatisfy { text[$0] == bytes[offset + $0] } }
  }

  /// Whether a chunk can begin here: a track, or four characters and a length within the file.
  func isAnyChunk(at offset: Int) -> Bool {
    guard offset + 8 <= end else { return false }
    guard !isChunk("MTrk", at: offset) else { return true }
    return bytes[offset..<offset + 4].allSatisfy { (0x20...0x7e).contains($0) }
      && offset + 8 + chunkLength(at: offset) <= end
  }

  /// Whether the file ends within a track's header.
  private func isCutName(at offset: Int) -> Bool {
    end - offset < 8 && bytes[offset..<min(offset + 4, end)].elementsEqual("MTrk".utf8.prefix(end - offset))
  }

  /// The next offset, from `offset` on, of a chunk with this name.
  func nextChunk(_ name: StaticString, from offset: Int) -> Int? {
    var place = offset
    while place + 8 <= end {
      if isChunk(name, at: place) { return place }
      place += 1
    }
    return nil
  }

  func chunkLength(at offset: Int) -> Int { uint16(at: offset + 4) << 16 | uint16(at: offset + 6) }
  private func uint16(at offset: Int) -> Int { Int(bytes[offset]) << 8 | Int(bytes[offset + 1]) }
  private func name(at offset: Int) -> String { String(decoding: bytes[offset..<offset + 4], as: UTF8.self) }
  private func found(at offset: Int) -> [UInt8] { Array(bytes[min(offset, end)..<min(offset + 4, end)]) }
}

extension MIDIFileDivision {
  /// The default, if the header's is invalid.
  fileprivate static let assumed = MIDIFileDivision.ticksPerQuarter(480)

  /// `nil` if the header's 16 bits are invalid.
  fileprivate init?(bits: UInt16) {
    if bits & 0x8000 == 0 {
      guard bits > 0 else { return nil }
      self = .ticksPerQuarter(Int(bits))
    } else {
      let frames = -Int(Int8(bitPattern: UInt8(bits >> 8)))
      guard let rate = FrameRate(rawValue: frames), bits & 0xff > 0 else { return nil }
      self = .timeCode(rate, ticksPerFrame: Int(bits & 0xff))
    }
  }
}
