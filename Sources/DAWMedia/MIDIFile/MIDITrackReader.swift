/// Reads the events of a track. A track's stated length is not trusted: it ends at its End of Track, or at the next
/// chunk.
struct MIDITrackReader {
  /// The reader, which records flaws and finds chunks.
  private(set) var file: MIDIFileReader
  private(set) var track = MIDIFileTrack()
  /// The offset after the track.
  private(set) var next: Int

  private let bytes: [UInt8]
  /// The start of the events, their end by the chunk's length, and the end of the file.
  private let start: Int
  private let promisedEnd: Int
  private let end: Int
  private var offset: Int
  /// The end of the track: the stated one, until it proves wrong.
  private var limit: Int
  private var tick: Int64 = 0
  /// The running status; 0 for none.
  private var status: UInt8 = 0
  /// The running status before a meta event or system exclusive message; 0 for none.
  private var cancelledStatus: UInt8 = 0
  /// Whether the next byte is a status byte without a delta time, after unreadable data.
  private var isResuming = false

  /// - Parameter chunk: the offset of the chunk's name.
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
    // An event has at least two bytes. Unused memory is never touched, but most of it is given back, since there may be
    // many tracks that claim to be long.
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

  /// - Returns: whether more events follow.
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
      // Some programs continue running status after meta events.
      status = cancelledStatus
    }
    guard status != 0 else {
      while offset < limit, bytes[offset] < 0x80 { offset += 1 }
      isResuming = true
      return
    }
    try readMessage(first)
  }

  /// - Parameter first: the first data byte; `nil` if there was none, and the event is dropped.
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
  /// The events have reached the track's stated end without an End of Track.
  /// - Returns: whether the track continues beyond it.
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

  /// A stated length may be too short, or 0 if the writer did not fill it in.
  /// - Returns: whether the bytes after the stated end are events up to an End of Track, followed by a chunk or the
  ///   end of the file.
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

  /// If the stated length is wrong, the next track's header ends this one.
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

  /// Whether the file can end, or another chunk begin, here; some writers add a padding byte.
  private func isPlausibleEnd(_ place: Int) -> Bool {
    place == end || place < end && (file.isAnyChunk(at: place) || place + 1 == end || file.isAnyChunk(at: place + 1))
  }

  /// An event that extends beyond the stated end proves it wrong, unless another chunk begins there.
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

  /// - Returns: `nil` if there is a status byte instead of the data byte; the event is dropped.
  private mutating func data() throws(MIDIFileFlaw) -> UInt8? {
    let found = try byte()
    guard found > 0x7f else { return found }
    offset -= 1
    try file.note(.dataByte(found: found), at: offset)
    isResuming = true
    return nil
  }

  /// A variable-length quantity: seven bits per byte, most significant first. Some files have five bytes; they are
  /// accepted.
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
