/// Reads the events of one track. Lengths are not believed: a track ends where its End of Track is, or where another chunk
/// begins.
struct MIDITrackReader {
  /// What keeps the flaws, and knows the chunks.
  private(set) var file: MIDIFileReader
  private(set) var track = MIDIFileTrack()
  /// Where what follows the track begins.
  private(set) var next: Int

  private let bytes: [UInt8]
  /// Where the events begin, where the chunk's length says that they end, and where the file does.
  private let start: Int
  private let promisedEnd: Int
  private let end: Int
  private var offset: Int
  /// As far as the track goes: its promised end, until that proves to be a lie.
  private var limit: Int
  private var tick: Int64 = 0
  /// The running status; 0 for none.
  private var status: UInt8 = 0
  /// What was the running status before a meta event or system exclusive; 0 for nothing.
  private var cancelledStatus: UInt8 = 0
  /// Whether the next byte is a status byte without a delta time ahead of it, after something that cannot be read.
  private var isResuming = false

  /// - Parameter chunk: where the chunk's name stands.
  init(file: MIDIFileReader, chunk: Int, end: Int) {
    self.file = file
    self.end = end
    bytes = file.bytes
    start = chunk + 8
    promisedEnd = start + file.chunkLength(at: chunk)
    offset = start
    limit = min(promisedEnd, end)
    next = limit
  }

  mutating func read() throws(MIDIFileFlaw) {
    // An event has at least two bytes. Room that is not used is never touched, but much of it is given back: there may be
    // many tracks, each of which claims to be long.
    let room = (limit - offset) / 2 + 1
    track.reserveCapacity(room)
    do throws(MIDIFileFlaw) {
      while try readEvent() {}
    } catch {
      guard file.isLenient else { throw error }
      file.flaws.append(error)
      next = isPlausibleEnd(promisedEnd) ? promisedEnd : file.nextChunk("MTrk", from: offset) ?? end
    }
    if track.events.count < room / 4 { track.events = track.events.map(\.self) }
  }

  /// - Returns: whether there is more to come.
  private mutating func readEvent() throws(MIDIFileFlaw) -> Bool {
    if offset >= limit { return try passEnd() }
    if limit > promisedEnd, file.isChunk("MTrk", at: offset) { return try endAtNextTrack() }
    if isResuming { isResuming = false } else { tick += Int64(try quantity()) }
    let first = try byte()
    switch first {
    case 0x80...0xef:
      status = first
      try readMessage(try data())
    case 0..<0x80: try readRunning(first)
    case 0xf0, 0xf7: try readPayload(of: MIDIFileEvent(tick: tick, status: first))
    case 0xff:
      let type = try byte()
      if type > 0x7f { try file.note(.dataByte(found: type), at: offset - 1) }
      guard type != MIDIFileMeta.endOfTrackType else { return try finish() }
      try readPayload(of: MIDIFileEvent(tick: tick, status: first, data1: type))
    default:
      try file.note(.systemMessage(status: first), at: offset - 1)
      let count = first == 0xf2 ? 2 : first == 0xf1 || first == 0xf3 ? 1 : 0
      for _ in 0..<count where offset < limit && bytes[offset] < 0x80 { offset += 1 }
    }
    return true
  }

  private mutating func readRunning(_ first: UInt8) throws(MIDIFileFlaw) {
    if status == 0 {
      try file.note(.noStatus(found: first, isCancelled: cancelledStatus != 0), at: offset - 1)
      // Some programs write, and read, as if nothing ended running status.
      status = cancelledStatus
    }
    guard status != 0 else {
      while offset < limit, bytes[offset] < 0x80 { offset += 1 }
      isResuming = true
      return
    }
    try readMessage(first)
  }

  /// - Parameter first: the first data byte; `nil` where it is none.
  private mutating func readMessage(_ first: UInt8?) throws(MIDIFileFlaw) {
    guard let first else { return }
    var second: UInt8 = 0
    if status & 0xe0 != 0xc0 {
      guard let data = try data() else { return }
      second = data
    }
    try requireWithinTrack()
    track.append(MIDIFileEvent(tick: tick, status: status, data1: first, data2: second))
  }

  private mutating func readPayload(of event: MIDIFileEvent) throws(MIDIFileFlaw) {
    if status != 0 { (status, cancelledStatus) = (0, status) }
    let lengthOffset = offset
    let count = try quantity()
    guard count <= end - offset else {
      throw MIDIFileFlaw(.payloadBeyondEnd(byteCount: count, available: end - offset), at: lengthOffset)
    }
    let payload = bytes[offset..<offset + count]
    offset += count
    try requireWithinTrack()
    if event.status == MIDIFileEvent.meta {
      track.append(metaType: event.data1, payload: payload, at: tick)
    } else {
      track.append(status: event.status, payload: payload, at: tick)
    }
  }
}

// MARK: - The end of the track

extension MIDITrackReader {
  /// Without an End of Track, the events have come to where the track should end.
  /// - Returns: whether the track goes on beyond it.
  private mutating func passEnd() throws(MIDIFileFlaw) -> Bool {
    if limit < end, !isPlausibleEnd(limit), file.triesBeyondEnds > 0 {
      let isLenient = file.isLenient
      var beyond = self
      if beyond.readBeyondPromisedEnd() {
        self = beyond
        file.isLenient = isLenient
        return false
      }
      file.triesBeyondEnds -= 1
    }
    guard promisedEnd <= end else { throw MIDIFileFlaw(.trackCut, at: end) }
    try file.note(.noEndOfTrack, at: limit)
    track.endTick = max(track.endTick, tick)
    next = limit
    return false
  }

  /// A length may be too short, or 0 where a writer never came back to fill it in.
  /// - Returns: whether the bytes behind the promised end were events up to an End of Track, with a chunk or nothing
  ///   behind it.
  private mutating func readBeyondPromisedEnd() -> Bool {
    limit = end
    file.isLenient = false
    do throws(MIDIFileFlaw) {
      while offset < end {
        guard try readEvent() else { return isPlausibleEnd(next) }
      }
    } catch {
      return false
    }
    return false
  }

  /// Where the length was a lie, the next track's name ends this one.
  private mutating func endAtNextTrack() throws(MIDIFileFlaw) -> Bool {
    try file.note(.trackLength(promised: promisedEnd - start, found: offset - start), at: start - 4)
    try file.note(.noEndOfTrack, at: offset)
    track.endTick = max(track.endTick, tick)
    next = offset
    return false
  }

  private mutating func finish() throws(MIDIFileFlaw) -> Bool {
    let count = try quantity()
    guard count <= end - offset else {
      throw MIDIFileFlaw(.payloadBeyondEnd(byteCount: count, available: end - offset), at: offset)
    }
    offset += count
    try requireWithinTrack()
    track.endTick = max(track.endTick, tick)
    next = offset
    guard offset != promisedEnd else { return false }
    if offset < promisedEnd, !file.isChunk("MTrk", at: offset), isPlausibleEnd(promisedEnd) {
      next = promisedEnd
      try file.note(.bytesAfterEndOfTrack(count: promisedEnd - offset), at: offset)
    } else {
      try file.note(.trackLength(promised: promisedEnd - start, found: offset - start), at: start - 4)
    }
    return false
  }

  /// Whether the file or another chunk can be here; some writers put a byte of padding between.
  private func isPlausibleEnd(_ place: Int) -> Bool {
    place == end || place < end && (file.isAnyChunk(at: place) || place + 1 == end || file.isAnyChunk(at: place + 1))
  }

  /// An event that goes on beyond the promised end is the proof that this is a lie, unless another chunk begins there.
  private mutating func requireWithinTrack() throws(MIDIFileFlaw) {
    guard offset > limit else { return }
    guard limit < end, !file.isAnyChunk(at: limit) else { throw MIDIFileFlaw(.eventBeyondTrack, at: limit) }
    limit = end
  }
}

// MARK: - Bytes

extension MIDITrackReader {
  private mutating func byte() throws(MIDIFileFlaw) -> UInt8 {
    guard offset < end else { throw MIDIFileFlaw(.eventCut, at: end) }
    offset += 1
    return bytes[offset - 1]
  }

  /// - Returns: `nil` where a status byte stands in place of the data byte: the event is given up.
  private mutating func data() throws(MIDIFileFlaw) -> UInt8? {
    let found = try byte()
    guard found > 0x7f else { return found }
    offset -= 1
    try file.note(.dataByte(found: found), at: offset)
    isResuming = true
    return nil
  }

  /// A variable-length quantity: seven bits a byte, the highest first. Five bytes occur, and are taken for what they say.
  private mutating func quantity() throws(MIDIFileFlaw) -> Int {
    var value = 0
    for count in 1...5 {
      let found = try byte()
      value = value << 7 | Int(found & 0x7f)
      guard found > 0x7f else { return value }
      if count == 4 { try file.note(.longQuantity, at: offset - 4) }
    }
    throw MIDIFileFlaw(.longQuantity, at: offset - 5)
  }
}
