// Filling streams, the one that runs dry first before the others.
extension Butler {
  /// Frames that a stream holds from the first one needed on.
  private func ready(_ stream: NeededStream) -> Int64 {
    let window = stream.window
    let first = owner.shared.pointee.windows[window].first.load(ordering: .acquiring)
    let end = owner.shared.pointee.windows[window].end.load(ordering: .acquiring)
    return end - max(first, stream.first)
  }

  /// Whether the stream holds the next eighth of the read-ahead.
  func isPrimed(_ stream: NeededStream) -> Bool {
    let window = stream.window
    // A stream opened before the read-ahead was doubled has a smaller capacity.
    let needed = min(Int64(readAhead / 8), Int64(owner.shared.pointee.windows[window].capacity / 2))
    guard stream.distance < needed, !streams[window].isBroken else { return true }
    let end = owner.shared.pointee.windows[window].end.load(ordering: .acquiring)
    return end >= streams[window].limit || ready(stream) >= needed
  }

  /// Reads up to 16 pieces.
  /// - Returns: whether more may be left to read.
  func fill() -> Bool {
    for _ in 0..<16 {
      guard let next = mostUrgent() else { return false }
      read(next)
    }
    return true
  }

  /// The window of the stream that runs dry first, of those with room for a worthwhile read.
  private func mostUrgent() -> Int? {
    var best: Int?
    var least = Int64.max
    for stream in needed {
      let window = stream.window
      guard !streams[window].isBroken, let source = streams[window].source else { continue }
      let capacity = owner.shared.pointee.windows[window].capacity
      let room = owner.shared.pointee.windows[window].room()
      let missing = streams[window].limit - room.frame
      guard missing > 0, room.count > 0 else { continue }
      let worth = min(missing, Int64(min(capacity / 4, Self.readBytes / source.bytesPerFrame)))
      let free = capacity - Int(room.frame - owner.shared.pointee.windows[window].first.load(ordering: .acquiring))
      guard Int64(free) >= worth else { continue }
      let slack = stream.distance + ready(stream)
      if slack < least {
        least = slack
        best = window
      }
    }
    return best
  }

  /// Reads one piece into a window. A file that cannot be read marks its stream as broken.
  private func read(_ window: Int) {
    guard let source = streams[window].source else { return }
    let room = owner.shared.pointee.windows[window].room()
    let count = min(
      room.count, Int(min(streams[window].limit - room.frame, 1 << 30)), max(1, Self.readBytes / source.bytesPerFrame))
    guard count > 0 else { return }
    let bytes = owner.shared.pointee.windows[window].bytes + room.place * source.bytesPerFrame
    do throws(StreamError) {
      let got = try files.read(source, from: room.frame, frameCount: count, into: bytes)
      owner.shared.pointee.windows[window].extend(by: got)
    } catch {
      streams[window].isBroken = true
      report(error)
    }
  }

  /// Queues an error for `LiveEngine.takeProblems()`, unless it is already there.
  func report(_ problem: StreamError) {
    inbox.update { inbox in if !inbox.problems.contains(problem) { inbox.problems.append(problem) } }
  }
}
