import DAWEngine
import DAWModel
import DAWTime

/// What of the timeline is bounced.
struct BounceRange {
  var start: FlickPosition
  /// Timeline frames, the tail included.
  var frames: Range<Int64>

  /// - Throws: `Failure` for a range that ends before it begins.
  init(_ request: BounceRequest, _ project: Project, _ plan: RenderPlan) throws {
    let (settings, rate) = (project.settings, project.settings.sampleRate)
    start = try request.from?(settings) ?? .zero
    let end = try request.to?(settings)
    let first = start.frames(at: rate).frames
    var last = end.map { $0.frames(at: rate).frames } ?? plan.endFrame
    if let end, end < start {
      throw Failure(
        .invalid, code: "range", "The range ends at \(end.seconds) s, before it begins at \(start.seconds) s.",
        hint: "Give --to a later place than --from.")
    }
    if last > first {
      let tail =
        try request.tail?(settings, end ?? FlickPosition(flicks: last * (rate.flicksPerFrame ?? 0)))
        ?? (plan.instruments.isEmpty ? .zero : .seconds(2))
      last += (FlickPosition.zero + tail).frames(at: rate).frames
    }
    frames = first..<max(first, last)
  }

  /// Why a bounce of this range would be a lie.
  func problems(_ plan: RenderPlan) -> [(problem: BounceProblem, sentence: String)] {
    guard !frames.isEmpty else {
      return [(.empty, "There is nothing between the beginning and the end of the bounce.")]
    }
    let sounds =
      plan.regions.contains { $0.frames.overlaps(frames) }
      || plan.instruments.contains { $0.plan.events.contains { $0.frame < frames.upperBound } }
    return sounds && plan.isOpen ? [] : [(.silent, "Nothing is heard in the range.")]
  }
}

extension RenderPlan {
  /// Whether the master lets anything through.
  fileprivate var isOpen: Bool {
    steps.contains { step in
      if case .output(_, let left, let right) = step { left != .constant(0) || right != .constant(0) } else { false }
    }
  }
}
