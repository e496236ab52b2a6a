// Reading, where the least is left.
extension Butler {
  /// Frames that a stream has ready from where it is wanted.
  private func ready(_ stream: WantedStream) -> Int64 {
    let window = stream.window
    let first = owner.crossing.pointee.windows[window].first.load(ordering: .acquiring)
    let end = owner.crossing.pointee.windows[window].end.load(ordering: .acquiring)
    return end - max(first, stream.first)
  }

  /// Whether what sounds within the next moment is there.
  func isPrimed(_ stream: WantedStream) -> Bool {
    let window = stream.window
    // A stream that was opened before a late disk made others longer holds less than they do.
    let moment = min(Int64(readAhead / 8), Int64(owner.crossing.pointee.windows[window].capacity / 2))
    guard stream.distance < moment, !streams[window].isBroken else { return true }
    let end = owner.crossing.pointee.windows[window].end.load(ordering: .acquiring)
    return end >= streams[window].limit || ready(stream) >= moment
  }

  /// Reads some pieces.
  /// - Returns: whether something is left to read.
  func fill() -> Bool {
    for _ in 0..<16 {
      guard let next = mostUrgent() else { return false }
      read(next)
    }
    return true
  }

  /// The stream that runs dry first, of those that have room worth a read.
  private func mostUrgent() -> Int? {
    var best: Int?
    var least = Int64.max
    for stream in wanted {
      let window = stream.window
      guard !streams[window].isBroken, let source = streams[window].source else { continue }
      let capacity = owner.crossing.pointee.windows[window].capacity
      let room = owner.crossing.pointee.windows[window].room()
      let missing = streams[window].limit - room.frame
      guard missing > 0, room.count > 0 else { continue }
      let worth = min(missing, Int64(min(capacity / 4, Self.readBytes / source.bytesPerFrame)))
      let free = capacity - Int(room.frame - owner.crossing.pointee.windows[window].first.load(ordering: .acquiring))
      guard Int64(free) >= worth else { continue }
      let slack = stream.distance + ready(stream)
      if slack < least {
        least = slack
        best = window
      }
    }
    return best
  }

  /// Reads one piece into a stream.
  private func read(_ window: Int) {
    guard let source = streams[window].source else { return }
    let room = owner.crossing.pointee.windows[window].room()
    let count = min(
      room.count, Int(min(streams[window].limit - room.frame, 1 << 30)), max(1, Self.readBytes / source.bytesPerFrame))
    guard count > 0 else { return }
    let bytes = owner.crossing.pointee.windows[window].bytes + room.place * source.bytesPerFrame
    do throws(StreamError) {
      let got = try files.read(source, from: room.frame, frameCount: count, into: bytes)
      owner.crossing.pointee.windows[window].extend(by: got)
    } catch {
      streams[window].isBroken = true
      say(error)
    }
  }

  func say(_ problem: StreamError) {
    inbox.update { inbox in if !inbox.problems.contains(problem) { inbox.problems.append(problem) } }
  }
}
