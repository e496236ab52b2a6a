import DAWTime

/// How long the streams need no reading.
struct FillPause {
  var scanNumber: UInt64
  /// Playheads before which no stream has room for a read.
  var frames: Range<TimelineFrame>
  /// When to read the next broken stream again.
  var retry: ContinuousClock.Instant?

  func holds(at frame: TimelineFrame, in scanNumber: UInt64) -> Bool {
    guard scanNumber == self.scanNumber, frames.contains(frame) else { return false }
    return retry.map { ContinuousClock.now < $0 } ?? true
  }
}

/// What has been reported of a file.
struct UnreadableFile {
  var isUnreadable = false
  /// The last frame that the file ended before.
  var missingFrame: FileFrame?
}

// Filling streams, the one that runs dry first before the others.
extension Butler {
  /// Frames that a stream holds from the first one needed on.
  private func ready(_ stream: NeededStream) -> Int {
    let first = window(stream.window).pointee.first.load(ordering: .acquiring)
    let end = window(stream.window).pointee.end.load(ordering: .acquiring)
    return end - max(first, StreamFrame(stream.first))
  }

  /// Whether the stream holds the next eighth of the read-ahead, and two blocks; or all of its region; or is broken.
  func isPrimed(_ stream: NeededStream) -> Bool {
    let window = window(stream.window)
    // A window with room for less than four blocks has room for all of its region.
    let needed = max(min(allowedReadAhead / 8, window.pointee.capacity / 2), 2 * longestBlock)
    guard stream.distance < needed, !streams[stream.window].isBroken else { return true }
    let end = window.pointee.end.load(ordering: .acquiring)
    return FileFrame(end) >= streams[stream.window].limit || ready(stream) >= needed
  }

  /// Reads a piece for each stream that has room, for 2 ms; with thousands of streams for as long as it took to find
  /// those with room, so that finding does not take most of the time.
  /// - Returns: whether more may be left to read.
  func fill(_ record: TransportRecord) -> Bool {
    if let fillPause, fillPause.holds(at: record.nextFrame, in: scanNumber) { return false }
    let begin = ContinuousClock.now
    let (urgent, pause) = streamsWithRoom(record, begin)
    if isDiskLate { extendReadAhead(record) }
    fillPause = urgent.isEmpty ? pause : nil
    guard !urgent.isEmpty else { return false }
    isReadinessOld = true
    let found = ContinuousClock.now
    let end = found + max(.milliseconds(2), found - begin)
    for (_, window) in urgent {
      read(window)
      if ContinuousClock.now > end { break }
    }
    return true
  }

  /// The streams with room for a worthwhile read, the one that runs dry first before the others; and how long there
  /// will be none, if there is none.
  private func streamsWithRoom(
    _ record: TransportRecord, _ now: ContinuousClock.Instant
  ) -> ([(slack: Int, window: Int)], FillPause) {
    var found: [(slack: Int, window: Int)] = []
    var frames = Int.max
    var retry: ContinuousClock.Instant?
    for place in needed.indices {
      let stream = needed[place]
      let index = stream.window
      noteLateness(index)
      if !streams[index].isSettled, isPrimed(stream) { streams[index].isSettled = true }
      if let next = streams[index].retry, now < next {
        retry = min(retry ?? next, next)
        continue
      }
      let capacity = window(index).pointee.capacity
      let room = window(index).pointee.room()
      let missing = streams[index].limit - FileFrame(room.frame)
      guard missing > 0 else { continue }
      let worth = min(missing, min(capacity / 4, Self.readBytes / stream.source.bytesPerFrame))
      let free = capacity - (room.frame - window(index).pointee.first.load(ordering: .acquiring))
      if free >= worth, room.count > 0 {
        found.append((stream.distance + ready(stream), index))
      } else {
        // The audio thread releases what it has read in batches.
        frames = min(frames, worth - free - (capacity / 64 + longestBlock))
      }
    }
    found.sort { $0.slack < $1.slack }
    let quiet = record.nextFrame..<(frames == .max ? .max : record.nextFrame + max(1, frames))
    return (found, FillPause(scanNumber: scanNumber, frames: quiet, retry: retry))
  }

  /// Reads one piece into a window. A stream whose file cannot be read is broken for a while.
  private func read(_ index: Int) {
    guard let source = streams[index].source else { return }
    let room = window(index).pointee.room()
    let frame = FileFrame(room.frame)
    let count = min(
      room.count, min(streams[index].limit - frame, 1 << 30), max(1, Self.readBytes / source.bytesPerFrame))
    guard count > 0 else { return }
    let bytes = window(index).pointee.bytes + room.place * source.bytesPerFrame
    do throws(StreamError) {
      let got = try files.read(source, from: frame, frameCount: count, into: bytes)
      window(index).pointee.extend(by: got)
      if streams[index].isBroken {
        streams[index].retry = nil
        streams[index].isSettled = false
      }
      noteReadable(source.path, until: frame + got)
    } catch {
      streams[index].retry = .now + .seconds(options.retrySeconds)
      noteUnreadable(source.path, error)
    }
  }

  // MARK: Reports

  /// Reports an error of a file, once until it is readable again.
  private func noteUnreadable(_ path: String, _ error: StreamError) {
    var file = unreadable[path] ?? UnreadableFile()
    let isNew: Bool
    if case .cutShort(_, let frame) = error {
      isNew = file.missingFrame == nil
      file.missingFrame = max(file.missingFrame ?? frame, frame)
    } else {
      isNew = !file.isUnreadable
      file.isUnreadable = true
    }
    unreadable[path] = file
    if isNew { report(error) }
  }

  /// Reports that a file is readable again.
  private func noteReadable(_ path: String, until frame: FileFrame) {
    guard !unreadable.isEmpty, let file = unreadable[path], frame > file.missingFrame ?? .min else { return }
    unreadable[path] = nil
    inbox.update { $0.recoveredPaths.append(path) }
  }

  /// Queues an error for `LiveEngine.takeProblems()`, unless it is already there.
  func report(_ problem: StreamError) {
    inbox.update { inbox in if !inbox.problems.contains(problem) { inbox.problems.append(problem) } }
  }
}
