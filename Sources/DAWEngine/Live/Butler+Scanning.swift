import Synchronization

// Choosing which streams are needed.
extension Butler {
  /// A region that needs a stream: `distance` in frames until it sounds, `first` and `limit` in the file's frames.
  private struct Candidate {
    var key: FileStreamKey
    var source: AudioSource
    var plan: LivePlan
    var region: Int
    var distance: Int64
    var first: Int64
    var limit: Int64
  }

  /// Finds the regions that sound now or soon and gives each a stream.
  func scan(at record: TransportRecord) {
    scanNumber += 1
    scanned = ScannedPosition(record)
    var candidates: [Candidate] = []
    for plan in plans {
      if plan.number >= record.planNumber {
        let there = plans.record(record, inPlan: plan.number)
        find(in: plan, at: (there.nextFrame, there.loop), record, &candidates)
      } else {
        retainStreams(of: plan)
      }
    }
    candidates.sort { ($0.distance, $0.key.regionID) < ($1.distance, $1.key.regionID) }
    for candidate in candidates {
      if let window = windowOfKey[candidate.key] { streams[window].neededInScan = scanNumber }
    }
    needed = []
    var indexOfWindow: [Int: Int] = [:]
    for candidate in candidates {
      guard
        let window = windowOfKey[candidate.key]
          ?? openStream(candidate.key, candidate.source, candidate.first, candidate)
      else {
        if candidate.plan === plans.last, candidate.distance < Int64(readAhead / 8) { reportTooManyRegions(record) }
        continue
      }
      if let index = indexOfWindow[window] {
        needed[index].plans.insert(candidate.plan.number)
        needed[index].limit = max(needed[index].limit, candidate.limit)
        needed[index].first = min(needed[index].first, candidate.first)
        needed[index].distance = min(needed[index].distance, candidate.distance)
      } else {
        indexOfWindow[window] = needed.count
        needed.append(
          NeededStream(
            window: window, plans: [candidate.plan.number], distance: candidate.distance, first: candidate.first,
            limit: candidate.limit))
      }
      let memory = candidate.plan.memory.pointee
      let handles = candidate.key.heldFrom == nil ? memory.regions : memory.heldRegions
      handles[candidate.region].store(
        StreamHandle(window: window, generation: streams[window].generation).bits, ordering: .releasing)
    }
    for stream in needed { reposition(stream) }
  }

  /// Reports a region that is about to sound and has no stream.
  private func reportTooManyRegions(_ record: TransportRecord) {
    // Not a shortage while a window is only being read by the audio thread.
    guard record.locateNumber != reportedFullAtLocate, streams.allSatisfy({ $0.neededInScan == scanNumber }) else {
      return
    }
    reportedFullAtLocate = record.locateNumber
    report(.tooManyRegions(limit: streams.count))
  }

  private func find(
    in plan: LivePlan, at place: (frame: Int64, loop: Range<Int64>?), _ record: TransportRecord,
    _ candidates: inout [Candidate]
  ) {
    let loop = place.loop.flatMap { place.frame < $0.upperBound ? $0 : nil }
    let end = min(place.frame + Int64(readAhead), loop?.upperBound ?? .max)
    let held = loop.map {
      $0.lowerBound..<min($0.upperBound, $0.lowerBound + Int64(options.frames(options.heldSeconds)))
    }
    for (index, region) in plan.plan.regions.enumerated()
    where region.frames.lowerBound < end && region.frames.upperBound > place.frame
      || held.map({ region.frames.overlaps($0) }) == true
    {
      let source = plan.plan.sources[region.source]
      func candidate(_ frames: Range<Int64>, distance: Int64, heldFrom: Int64?, limit: Int64) -> Candidate {
        Candidate(
          key: FileStreamKey(
            regionID: region.regionID, path: source.path, sha256: source.sha256, anchor: region.anchor,
            timelineEpoch: plan.timelineEpoch,
            heldFrom: heldFrom),
          source: source, plan: plan, region: index, distance: max(0, distance),
          first: frames.lowerBound - region.anchor, limit: limit - region.anchor)
      }
      if let held, region.frames.overlaps(held), let loop {
        let frames = region.frames.clamped(to: held)
        candidates.append(
          candidate(
            frames, distance: loop.upperBound - place.frame, heldFrom: frames.lowerBound - region.anchor,
            limit: frames.upperBound))
      }
      var first = max(place.frame, region.frames.lowerBound)
      if let held, record.wrapCount > 0, held.contains(first) { first = min(held.upperBound, region.frames.upperBound) }
      let limit = min(region.frames.upperBound, loop?.upperBound ?? .max)
      if first < min(end, limit) {
        candidates.append(
          candidate(first..<limit, distance: first - place.frame, heldFrom: nil, limit: limit))
      }
    }
  }

  /// Keeps the streams of a plan that is being replaced.
  private func retainStreams(of plan: LivePlan) {
    let memory = plan.memory.pointee
    for index in plan.plan.regions.indices {
      for handles in [memory.regions, memory.heldRegions] {
        let handle = StreamHandle(bits: handles[index].load(ordering: .relaxed))
        guard handle.window >= 0, streams[handle.window].generation == handle.generation else { continue }
        streams[handle.window].neededInScan = scanNumber
      }
    }
  }

  /// Opens a stream in a free window, or in the one that has been unused for longest.
  /// - Returns: `nil` if all windows are in use, or the window could not be taken from the reader; the next scan
  ///   tries again.
  private func openStream(_ key: FileStreamKey, _ source: AudioSource, _ first: Int64, _ candidate: Candidate) -> Int? {
    guard let window = streams.indices.min(by: { streams[$0].neededInScan < streams[$1].neededInScan }),
      streams[window].neededInScan < scanNumber
    else { return nil }
    guard beginExclusive(window) else {
      scanned.isValid = false
      return nil
    }
    let memory = owner.shared.pointee.windows + window
    defer { memory.pointee.endExclusive() }
    if let old = streams[window].key { windowOfKey[old] = nil }
    let wantedFrames = key.heldFrom == nil ? min(candidate.limit - first, Int64(readAhead)) : candidate.limit - first
    let capacity = max(Int(wantedFrames), 4 * RenderPlan.maximumFrames)
    let generation = streams[window].generation &+ 1
    memory.pointee.generation = generation
    memory.pointee.reset(
      at: first, capacity: capacity, bytesPerFrame: source.bytesPerFrame, byteCount: capacity * source.bytesPerFrame)
    streams[window] = FileStream(
      key: key, source: source, limit: candidate.limit, locateNumber: scanned.locateNumber,
      wrapCount: scanned.wrapCount,
      neededInScan: scanNumber, generation: generation)
    windowOfKey[key] = window
    return window
  }

  /// Moves an open stream to where it is needed now.
  private func reposition(_ stream: NeededStream) {
    let window = stream.window
    streams[window].limit = stream.limit
    guard streams[window].key?.heldFrom == nil else { return }
    let hasMoved =
      streams[window].locateNumber != scanned.locateNumber || streams[window].wrapCount != scanned.wrapCount
    let first = owner.shared.pointee.windows[window].first.load(ordering: .acquiring)
    let end = owner.shared.pointee.windows[window].end.load(ordering: .acquiring)
    // After a locate or a wrap the first frame must be in the window. While the playhead runs on, frames behind it have
    // been released, so only a playhead past the end needs a move.
    let isThere = hasMoved ? stream.first >= first && stream.first <= end : stream.first <= end
    // The reader releases what it has read; frames long unreleased mean that the region was muted.
    let isUnread = stream.first - first > max(Int64(2 * RenderPlan.maximumFrames), Int64(capacity(of: window) / 4))
    if !isThere || isUnread {
      guard beginExclusive(window) else {
        scanned.isValid = false
        return
      }
      // Frames before the new position would take the room of those after it.
      if isThere {
        owner.shared.pointee.windows[window].drop(before: stream.first)
      } else {
        owner.shared.pointee.windows[window].move(to: stream.first)
      }
      owner.shared.pointee.windows[window].endExclusive()
      if !hasMoved { doubleReadAhead() }
    }
    streams[window].locateNumber = scanned.locateNumber
    streams[window].wrapCount = scanned.wrapCount
  }

  private func capacity(of window: Int) -> Int { owner.shared.pointee.windows[window].capacity }

  /// After a late read: doubles the read-ahead of streams opened from now on, up to eight times the option.
  private func doubleReadAhead() {
    readAhead = min(2 * readAhead, options.frames(8 * options.readAheadSeconds))
  }

  /// Keeps the audio thread from reading a window, until `endExclusive()`.
  private func beginExclusive(_ window: Int) -> Bool {
    owner.shared.pointee.windows[window].beginExclusive(owner.shared.pointee.readEpoch)
  }
}
