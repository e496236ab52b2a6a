import DAWTime

// Opening, moving and closing streams; how far they are read ahead.
extension Butler {
  /// Bytes copied in one scan to windows of another length.
  private static let copyLimit = 8 << 20

  // MARK: Lengths

  /// Frames below which blocks could run dry between two rounds.
  var leastReadAhead: Int { 4 * longestBlock }

  /// Frames that a stream's window is to have.
  private func wantedFrames(_ stream: NeededStream, readAhead: Int) -> Int {
    let length = stream.limit - stream.first
    guard !stream.isHeld else { return length }
    // What does not sound yet need not last long.
    let ahead = stream.distance < readAhead / 4 ? readAhead : readAhead / 4
    return min(length, max(ahead, leastReadAhead))
  }

  /// Sets the read-ahead for which the memory of all streams fits into `LiveOptions.streamBytes`.
  func limitReadAhead() {
    var ahead = max(readAhead, leastReadAhead)
    while ahead > leastReadAhead, byteCount(readAhead: ahead) > options.streamBytes {
      ahead = max(leastReadAhead, ahead / 8 * 7)
    }
    allowedReadAhead = ahead
  }

  private func byteCount(readAhead: Int) -> Int {
    var count = 0
    for stream in needed where stream.isHeld || stream.distance < readAhead {
      let bytesPerFrame = stream.source.bytesPerFrame
      var bytes = StreamMemoryPool.roundedUp(wantedFrames(stream, readAhead: readAhead) * bytesPerFrame)
      if stream.window >= 0 {
        let most = StreamMemoryPool.roundedUp(longestWindow(readAhead: readAhead) * bytesPerFrame)
        bytes = max(bytes, min(window(stream.window).pointee.byteCount, most))
      }
      count += bytes
    }
    return count
  }

  /// After a late disk: doubles the read-ahead, up to eight times the option.
  func extendReadAhead(_ record: TransportRecord) {
    isDiskLate = false
    lateAt = record.hostFrame
    // More would not fit into the memory.
    guard allowedReadAhead >= readAhead else { return }
    setReadAhead(min(2 * readAhead, options.frames(8 * options.readAheadSeconds)))
  }

  /// After a while without: halves it again.
  func relaxReadAhead(_ record: TransportRecord) {
    let least = options.frames(options.readAheadSeconds)
    let elapsed = record.hostFrame - lateAt
    // A host that was started again counts from 0.
    guard readAhead > least, elapsed < 0 || elapsed >= options.frames(options.quietSeconds) else { return }
    lateAt = record.hostFrame
    setReadAhead(max(least, readAhead / 2))
  }

  private func setReadAhead(_ frames: Int) {
    guard frames != readAhead else { return }
    readAhead = frames
    scanned.isValid = false
    inbox.update { $0.readAhead = frames }
  }

  // MARK: Windows

  /// Opens the needed streams that are not open, the nearest first, and moves the others to where they are needed now.
  /// - Returns: windows that were replaced by ones of another length. They are still open.
  func openNeeded() -> [Int] {
    var replaced: [Int] = []
    var copied = 0
    for place in needed.indices {
      let stream = needed[place]
      let known = stream.window
      guard known >= 0 else {
        needed[place].window = openStream(stream) ?? -1
        continue
      }
      reposition(known, stream)
      guard let reason = reasonToReplace(known, stream) else { continue }
      if reason == .comfort, copied > Self.copyLimit {
        scanned.isValid = false
      } else if let new = replace(known, stream) {
        copied += window(new).pointee.byteCount
        replaced.append(known)
        needed[place].window = new
      }
    }
    return replaced
  }

  private enum ReasonToReplace {
    /// The window is too short for the blocks.
    case need
    case comfort
  }

  /// Whether a window should have another length: a region was lengthened, blocks became longer, what was to come
  /// sounds, or the read-ahead has changed.
  private func reasonToReplace(_ index: Int, _ stream: NeededStream) -> ReasonToReplace? {
    let capacity = window(index).pointee.capacity
    let wanted = wantedFrames(stream, readAhead: allowedReadAhead)
    let first = window(index).pointee.first.load(ordering: .acquiring)
    if FileFrame(first + capacity) >= stream.limit {
      // All that is left fits.
    } else if stream.isHeld || capacity < min(wanted, leastReadAhead) {
      return .need
    } else if capacity < wanted / 4 * 3 {
      return .comfort
    }
    return !stream.isHeld && capacity > longestWindow(readAhead: allowedReadAhead) ? .comfort : nil
  }

  /// The most frames that a window keeps; so that not every change of the read-ahead changes all windows.
  private func longestWindow(readAhead: Int) -> Int { max(readAhead, leastReadAhead) / 4 * 5 }

  /// Opens a stream in a free window.
  /// - Returns: `nil` if there is no window or no memory left; the next scan tries again.
  private func openStream(_ stream: NeededStream) -> Int? {
    guard let index = takeWindow(for: stream, at: StreamFrame(stream.first)) else { return nil }
    streams[index] = FileStream(
      key: stream.key, source: stream.source, limit: stream.limit, locateNumber: scanned.locateNumber,
      wrapCount: scanned.wrapCount, neededInScan: scanNumber, generation: streams[index].generation)
    windowOfKey[stream.key] = index
    window(index).pointee.endExclusive()
    return index
  }

  /// Copies a stream to a window of another length. The audio thread reads the window before until it sees the new
  /// handle, so it misses nothing.
  /// - Returns: the new window; `nil` if there is none.
  private func replace(_ old: Int, _ stream: NeededStream) -> Int? {
    let end = window(old).pointee.end.load(ordering: .relaxed)
    let unread = window(old).pointee.first.load(ordering: .acquiring)
    let first = min(max(unread, StreamFrame(stream.first)), end)
    guard let index = takeWindow(for: stream, at: first) else { return nil }
    window(index).pointee.copy(from: window(old).pointee, from: first)
    let generation = streams[index].generation
    streams[index] = streams[old]
    streams[index].generation = generation
    streams[index].neededInScan = scanNumber
    windowOfKey[stream.key] = index
    window(index).pointee.endExclusive()
    return index
  }

  /// Prepares a free window, which the audio thread has no handle of and regards as exclusive.
  private func takeWindow(for stream: NeededStream, at first: StreamFrame) -> Int? {
    let bytesPerFrame = stream.source.bytesPerFrame
    let wanted = max(1, wantedFrames(stream, readAhead: allowedReadAhead))
    guard let block = memory.take(byteCount: wanted * bytesPerFrame) else { return nil }
    guard let index = freeWindows.popLast() ?? owner.addWindow() else {
      memory.giveBack(block)
      return nil
    }
    if index == streams.count { streams.append(FileStream()) }
    streams[index].generation &+= 1
    window(index).pointee.generation = streams[index].generation
    _ = window(index).pointee.exchangeMemory(for: block)
    window(index).pointee.reset(at: first, capacity: block.byteCount / bytesPerFrame, bytesPerFrame: bytesPerFrame)
    openWindows.append(index)
    return index
  }

  /// Closes streams and gives their memory back. Their windows stay exclusive until they are used again.
  func close(_ indices: [Int]) {
    guard !indices.isEmpty else { return }
    for index in indices {
      guard beginExclusive(index) else { continue }
      memory.giveBack(window(index).pointee.exchangeMemory(for: .none))
      if let key = streams[index].key, windowOfKey[key] == index { windowOfKey[key] = nil }
      streams[index] = FileStream(generation: streams[index].generation)
      freeWindows.append(index)
    }
    openWindows.removeAll { streams[$0].key == nil }
  }

  /// Moves an open stream to where it is needed now.
  private func reposition(_ index: Int, _ stream: NeededStream) {
    streams[index].limit = stream.limit
    guard !stream.isHeld else { return }
    let hasMoved =
      streams[index].locateNumber != scanned.locateNumber || streams[index].wrapCount != scanned.wrapCount
    let window = window(index)
    let wanted = StreamFrame(stream.first)
    let first = window.pointee.first.load(ordering: .acquiring)
    let end = window.pointee.end.load(ordering: .acquiring)
    // After a locate or a wrap the first frame must be in the window. While the playhead runs on, frames behind it have
    // been released, so only a playhead past the end needs a move.
    let isThere = hasMoved ? wanted >= first && wanted <= end : wanted <= end
    // The reader releases what it has read; frames long unreleased mean that the region was muted.
    let isUnread = wanted - first > max(2 * longestBlock, window.pointee.capacity / 4)
    if !isThere || isUnread {
      noteLateness(index)
      guard beginExclusive(index) else { return }
      // Frames before the new position would take the room of those after it.
      if isThere { window.pointee.drop(before: wanted) } else { window.pointee.move(to: wanted) }
      window.pointee.endExclusive()
      streams[index].isSettled = streams[index].isSettled && isThere
    }
    streams[index].locateNumber = scanned.locateNumber
    streams[index].wrapCount = scanned.wrapCount
  }

  /// The disk is late where the audio thread missed frames of a stream that had been primed; not where frames were left
  /// unread.
  func noteLateness(_ index: Int) {
    guard window(index).pointee.takeMisses() > 0, streams[index].isSettled, !streams[index].isBroken else { return }
    isDiskLate = true
    streams[index].isSettled = false
  }

  /// Keeps the audio thread from reading a window, until `endExclusive()`.
  /// - Returns: false if it does not stop reading; the next round scans again.
  private func beginExclusive(_ index: Int) -> Bool {
    if !isReaderBusy, window(index).pointee.beginExclusive(owner.shared.pointee.readEpoch) { return true }
    isReaderBusy = true
    scanned.isValid = false
    return false
  }
}
