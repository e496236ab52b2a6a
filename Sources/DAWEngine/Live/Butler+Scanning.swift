import DAWTime
import Synchronization

// Choosing which streams are needed.
extension Butler {
  /// A region of a plan that needs a stream.
  private struct Candidate {
    var stream: NeededStream
    /// Index into `plans`.
    var plan: Int
    /// Index into the plan's regions.
    var region: Int
  }

  /// Finds the regions that sound now or soon and gives each a stream.
  func scan(at record: TransportRecord) {
    scanNumber += 1
    scanned = ScannedPosition(record, longestBlock: longestBlock)
    isReaderBusy = false
    isReadinessOld = true
    let retained = retainStreams(record)
    var candidates: [Candidate] = []
    for (index, plan) in plans.enumerated() where plan.number >= record.planNumber {
      candidates += find(inPlan: index, record)
    }
    needed = merged(candidates)
    for place in needed.indices { needed[place].window = windowOfKey[needed[place].key] ?? -1 }
    limitReadAhead()
    needed.removeAll { !$0.isHeld && $0.distance >= allowedReadAhead }
    scanStep = allowedReadAhead / 8
    // The rest is for streams of plans that fade out, and of another length.
    if needed.count > 2 * options.streamCount {
      scanStep = min(scanStep, needed[2 * options.streamCount].distance / 4)
      needed.removeLast(needed.count - 2 * options.streamCount)
    }
    for stream in needed where stream.window >= 0 { streams[stream.window].neededInScan = scanNumber }
    close(openWindows.filter { streams[$0].neededInScan < scanNumber })
    let replaced = openNeeded()
    needed.removeAll { $0.window < 0 }
    for candidate in candidates {
      if let window = windowOfKey[candidate.stream.key] { give(candidate, window) }
    }
    close(replaced.filter { !retained.contains($0) })
  }

  /// Keeps the streams of a plan that is fading out.
  /// - Returns: their windows.
  private func retainStreams(_ record: TransportRecord) -> Set<Int> {
    let numbers = Set(plans.map(\.number))
    handlesOfPlan = handlesOfPlan.filter { numbers.contains($0.key) && $0.key < record.planNumber }
    var retained = Set<Int>()
    for handle in handlesOfPlan.values.joined() where streams[handle.window].generation == handle.generation {
      streams[handle.window].neededInScan = scanNumber
      retained.insert(handle.window)
    }
    return retained
  }

  // MARK: Regions

  /// The regions of a plan that sound now or soon, the nearest first. Of those that sound at once, there are as many as
  /// there may be streams.
  private func find(inPlan index: Int, _ record: TransportRecord) -> [Candidate] {
    let plan = plans[index]
    let place = plans.record(record, inPlan: plan.number)
    let frame = place.nextFrame
    let loop = place.loop.flatMap { frame < $0.upperBound ? $0 : nil }
    let end = min(frame + max(readAhead, leastReadAhead), loop?.upperBound ?? .max)
    var candidates: [Candidate] = []
    func add(_ region: Int, _ frames: Range<TimelineFrame>, distance: Int, isHeld: Bool) {
      let planned = plan.plan.regions[region]
      let source = plan.plan.sources[planned.source]
      let first = planned.fileFrame(at: frames.lowerBound)
      let key = FileStreamKey(
        regionID: planned.regionID, path: source.path, sha256: source.sha256, anchor: planned.anchor,
        timelineEpoch: plan.timelineEpoch, heldFrom: isHeld ? first : nil)
      candidates.append(
        Candidate(
          stream: NeededStream(
            key: key, source: source, plans: bit(of: index), distance: max(0, distance), first: first,
            limit: planned.fileFrame(at: frames.upperBound)),
          plan: index, region: region))
    }
    var held: Range<TimelineFrame>?
    if let loop {
      let length = max(options.frames(options.heldSeconds), 3 * longestBlock)
      let first = loop.lowerBound..<min(loop.upperBound, loop.lowerBound + length)
      plan.forEachRegion(overlapping: first) { region in
        let frames = plan.plan.regions[region].frames.clamped(to: first)
        add(region, frames, distance: loop.upperBound - frame, isHeld: true)
      }
      held = first
    }
    if frame < end {
      plan.forEachRegion(overlapping: frame..<end) { region in
        let frames = plan.plan.regions[region].frames
        var first = max(frame, frames.lowerBound)
        if let held, record.wrapCount > 0, held.contains(first) { first = min(held.upperBound, frames.upperBound) }
        let limit = min(frames.upperBound, loop?.upperBound ?? .max)
        if first < min(end, limit) { add(region, first..<limit, distance: first - frame, isHeld: false) }
      }
    }
    candidates.sort { ($0.stream.distance, $0.stream.key.regionID) < ($1.stream.distance, $1.stream.key.regionID) }
    guard candidates.count > options.streamCount else { return candidates }
    let (kept, left) = limited(candidates)
    if index == plans.count - 1, let left, left < allowedReadAhead / 8 { reportTooManyRegions(record) }
    return kept
  }

  /// Leaves out candidates that would sound while as many others do as there may be streams.
  /// - Parameter candidates: in order of distance.
  /// - Returns: the others, and the distance of the first that is left out.
  private func limited(_ candidates: [Candidate]) -> ([Candidate], firstLeftOut: Int?) {
    var kept: [Candidate] = []
    var firstLeftOut: Int?
    // In order, where those end that sound; what stays in memory at the loop's start sounds at another time.
    var ends: [Bool: [TimelineFrame]] = [:]
    for candidate in candidates {
      let stream = candidate.stream
      let first = TimelineFrame(of: stream.first, anchor: stream.key.anchor)
      var sounding = ends[stream.isHeld, default: []]
      sounding.removeFirst(sounding.firstIndex { $0 > first } ?? sounding.count)
      if sounding.count < options.streamCount {
        let end = TimelineFrame(of: stream.limit, anchor: stream.key.anchor)
        sounding.insert(end, at: sounding.firstIndex { $0 > end } ?? sounding.count)
        kept.append(candidate)
      } else {
        firstLeftOut = firstLeftOut ?? stream.distance
      }
      ends[stream.isHeld] = sounding
    }
    return (kept, firstLeftOut)
  }

  /// Reports regions that are about to sound and have no stream.
  private func reportTooManyRegions(_ record: TransportRecord) {
    guard record.locateNumber != reportedFullAtLocate else { return }
    reportedFullAtLocate = record.locateNumber
    report(.tooManyRegions(limit: options.streamCount))
  }

  /// - Returns: the candidates' streams, those of several plans once, the nearest first.
  private func merged(_ candidates: [Candidate]) -> [NeededStream] {
    var merged: [NeededStream] = []
    var placeOfKey: [FileStreamKey: Int] = [:]
    for stream in candidates.lazy.map(\.stream) {
      guard let place = placeOfKey[stream.key] else {
        placeOfKey[stream.key] = merged.count
        merged.append(stream)
        continue
      }
      merged[place].plans |= stream.plans
      merged[place].limit = max(merged[place].limit, stream.limit)
      merged[place].first = min(merged[place].first, stream.first)
      merged[place].distance = min(merged[place].distance, stream.distance)
    }
    merged.sort { ($0.distance, $0.key.regionID) < ($1.distance, $1.key.regionID) }
    return merged
  }

  /// Tells a plan which stream its region has.
  private func give(_ candidate: Candidate, _ window: Int) {
    let plan = plans[candidate.plan]
    let handle = StreamHandle(window: window, generation: streams[window].generation)
    let memory = plan.memory.pointee
    let handles = candidate.stream.isHeld ? memory.heldRegions : memory.regions
    handles[candidate.region].store(handle.bits, ordering: .releasing)
    handlesOfPlan[plan.number, default: []].append(handle)
  }
}
