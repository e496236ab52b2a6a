import Synchronization

// Which streams are wanted.
extension Butler {
  private struct Candidate {
    var key: FileStreamKey
    var source: AudioSource
    var plan: LivePlan
    var region: Int
    var distance: Int64
    var first: Int64
    var limit: Int64
  }

  /// Finds the regions that sound now or soon, and gives them streams.
  func look(at record: TransportRecord) {
    scanNumber += 1
    seen = SeenPlace(record)
    var candidates: [Candidate] = []
    for plan in plans {
      if plan.number >= record.planNumber {
        let there = plans.record(record, inPlan: plan.number)
        find(in: plan, at: (there.nextFrame, there.loop), record, &candidates)
      } else {
        keepStreams(of: plan)
      }
    }
    candidates.sort { ($0.distance, $0.key.slot) < ($1.distance, $1.key.slot) }
    for candidate in candidates {
      if let window = windowOfKey[candidate.key] { streams[window].wantedIn = scanNumber }
    }
    wanted = []
    var indexOfWindow: [Int: Int] = [:]
    for candidate in candidates {
      guard let window = windowOfKey[candidate.key] ?? lay(candidate.key, candidate.source, candidate.first, candidate)
      else {
        if candidate.plan === plans.last, candidate.distance < Int64(readAhead / 8) { sayFull(record) }
        continue
      }
      if let index = indexOfWindow[window] {
        wanted[index].plans.insert(candidate.plan.number)
        wanted[index].limit = max(wanted[index].limit, candidate.limit)
        wanted[index].first = min(wanted[index].first, candidate.first)
        wanted[index].distance = min(wanted[index].distance, candidate.distance)
      } else {
        indexOfWindow[window] = wanted.count
        wanted.append(
          WantedStream(
            window: window, plans: [candidate.plan.number], distance: candidate.distance, first: candidate.first,
            limit: candidate.limit))
      }
      let memory = candidate.plan.memory.pointee
      let tickets = candidate.key.heldFrom == nil ? memory.regions : memory.heldRegions
      tickets[candidate.region].store(
        StreamTicket(window: window, generation: streams[window].generation).bits, ordering: .releasing)
    }
    for stream in wanted { settle(stream) }
  }

  /// Something is about to sound for which there is no stream.
  private func sayFull(_ record: TransportRecord) {
    // A window that the audio thread held just now is no shortage.
    guard record.locateNumber != saidFullSince, streams.allSatisfy({ $0.wantedIn == scanNumber }) else { return }
    saidFullSince = record.locateNumber
    say(.tooManyRegions(limit: streams.count))
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
            slot: region.slot, path: source.path, sha256: source.sha256, anchor: region.anchor, lineage: plan.lineage,
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

  /// A plan that is being left keeps what it has.
  private func keepStreams(of plan: LivePlan) {
    let memory = plan.memory.pointee
    for index in plan.plan.regions.indices {
      for tickets in [memory.regions, memory.heldRegions] {
        let ticket = StreamTicket(bits: tickets[index].load(ordering: .relaxed))
        guard ticket.window >= 0, streams[ticket.window].generation == ticket.generation else { continue }
        streams[ticket.window].wantedIn = scanNumber
      }
    }
  }

  /// Gives a stream a window: a free one, or that of the stream which nobody has wanted for longest.
  /// - Returns: `nil` where all are wanted; what is left out is late, and the next look tries again.
  private func lay(_ key: FileStreamKey, _ source: AudioSource, _ first: Int64, _ candidate: Candidate) -> Int? {
    guard let window = streams.indices.min(by: { streams[$0].wantedIn < streams[$1].wantedIn }),
      streams[window].wantedIn < scanNumber
    else { return nil }
    guard hold(window) else {
      seen.isValid = false
      return nil
    }
    let memory = owner.crossing.pointee.windows + window
    defer { memory.pointee.endFilling() }
    if let old = streams[window].key { windowOfKey[old] = nil }
    let wantedFrames = key.heldFrom == nil ? min(candidate.limit - first, Int64(readAhead)) : candidate.limit - first
    let capacity = max(Int(wantedFrames), 4 * RenderPlan.maximumFrames)
    let generation = streams[window].generation &+ 1
    memory.pointee.generation = generation
    memory.pointee.lay(
      at: first, capacity: capacity, bytesPerFrame: source.bytesPerFrame, byteCount: capacity * source.bytesPerFrame)
    streams[window] = FileStream(
      key: key, source: source, limit: candidate.limit, locateNumber: seen.locateNumber, wrapCount: seen.wrapCount,
      wantedIn: scanNumber, generation: generation)
    windowOfKey[key] = window
    return window
  }

  /// Puts a stream that runs where it is wanted now.
  private func settle(_ stream: WantedStream) {
    let window = stream.window
    streams[window].limit = stream.limit
    guard streams[window].key?.heldFrom == nil else { return }
    let hasMoved = streams[window].locateNumber != seen.locateNumber || streams[window].wrapCount != seen.wrapCount
    let first = owner.crossing.pointee.windows[window].first.load(ordering: .acquiring)
    let end = owner.crossing.pointee.windows[window].end.load(ordering: .acquiring)
    // While the playhead runs on, what lies behind it has been used; only what it has outrun is of no use.
    let isThere = hasMoved ? stream.first >= first && stream.first <= end : stream.first <= end
    // Who reads a stream lets go of what it has read; nobody has, of one that was muted for a while.
    let isUnread = stream.first - first > max(Int64(2 * RenderPlan.maximumFrames), Int64(capacity(of: window) / 4))
    if !isThere || isUnread {
      guard hold(window) else {
        seen.isValid = false
        return
      }
      // What lies before the new place would leave no room for what comes after it.
      if isThere {
        owner.crossing.pointee.windows[window].drop(before: stream.first)
      } else {
        owner.crossing.pointee.windows[window].move(to: stream.first)
      }
      owner.crossing.pointee.windows[window].endFilling()
      if !hasMoved { adapt() }
    }
    streams[window].locateNumber = seen.locateNumber
    streams[window].wrapCount = seen.wrapCount
  }

  private func capacity(of window: Int) -> Int { owner.crossing.pointee.windows[window].capacity }

  /// The disk was late: streams that are opened from now on hold more.
  private func adapt() {
    readAhead = min(2 * readAhead, options.frames(8 * options.readAheadSeconds))
  }

  /// Takes a window from the audio thread.
  private func hold(_ window: Int) -> Bool {
    owner.crossing.pointee.windows[window].beginFilling(owner.crossing.pointee.turns)
  }
}
