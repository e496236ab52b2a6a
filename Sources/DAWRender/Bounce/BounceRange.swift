import DAWBounce
import DAWEngine
import DAWErrors
import DAWModel
import DAWProject
import DAWTime

/// The range of the timeline to bounce.
struct BounceRange {
  var start: FlickPosition
  /// Without the tail.
  var frames: Range<TimelineFrame>
  var tail: TailGate.Length
  /// Whether the tail is added to the start rather than appended.
  var isLoop: Bool
  /// Whether what follows the range stays in the plan, for effects that look ahead, so that their last frames are those
  /// of the whole. With a tail they meet silence: they would else change what rings on for a sound that never comes.
  let isFollowed: Bool

  /// - Throws: `Failure` for a range that ends before it begins.
  init(_ request: BounceRequest, _ project: Project, _ plan: RenderPlan) throws {
    let (timeline, rate) = (Timeline(project), project.settings.sampleRate)
    start = try request.from?(timeline) ?? .zero
    let end = try request.to?(timeline)
    let first = TimelineFrame(start.frames(at: rate))
    let last = end.map { TimelineFrame($0.frames(at: rate)) } ?? plan.endFrame
    if let end, end < start {
      throw Failure(
        .invalid, code: "invalidRange", "The range ends at \(end.seconds) s, before it begins at \(start.seconds) s.",
        hint: "Give --to a later place than --from.")
    }
    frames = first..<max(first, last)
    func count(_ length: FlickCount) -> Int64 { (FlickPosition.zero + length).frames(at: rate).frames }
    let most = plan.ringsOn ? count(Self.longestTail) : 0
    isLoop = false
    switch request.tail {
    // How long effects ring on depends on their settings.
    case .standard where !plan.inserts.isEmpty: tail = .untilQuiet(atMost: most)
    case .standard: tail = .fixed(plan.instruments.isEmpty ? 0 : count(.seconds(2)))
    case .distance(let distance):
      let place = end ?? last.position.flicks(at: rate)
      tail = .fixed(count(try distance(timeline, place)))
    case .untilQuiet: tail = .untilQuiet(atMost: most)
    case .loop:
      tail = .untilQuiet(atMost: most)
      isLoop = true
    }
    if frames.isEmpty { tail = .fixed(0) }
    isFollowed = tail.maximumFrames == 0 && !isLoop
  }

  /// The timeline frame up to which is rendered in any case; `nil` if the length of the tail is given.
  var certainEnd: TimelineFrame? { if case .untilQuiet = tail { frames.upperBound } else { nil } }

  /// Maximum length of a tail that ends by level.
  static let longestTail = FlickCount.seconds(30)

  /// Refuses a range that a manifest puts far behind what is to be heard: it would be rendered for days. A tempo that has
  /// changed since may have moved it by less.
  /// - Parameters:
  ///   - earlierSeconds: how long the file is by its manifest.
  ///   - plan: of the whole project.
  /// - Throws: `Failure`.
  func requireNearness(earlierSeconds: Int, _ plan: RenderPlan) throws(Failure) {
    let rate = Int64(plan.sampleRate.hertz)
    let last = frames.upperBound.position.frames + tail.maximumFrames
    let end = plan.endFrame.position.frames
    guard last > end + (Int64(earlierSeconds) + Self.mostSecondsBehind) * rate else { return }
    throw Failure(
      .invalid, code: "invalidManifest",
      "The manifest asks for sound up to \(last / rate) s, where the project ends at \(end / rate) s and the file had "
        + "\(earlierSeconds) s. Nothing was rendered.",
      hint: "If you trust it, repeat the bounce with the arguments in it; '--manifest' writes a new one.")
  }

  /// Beyond the project's end and the length of the earlier file.
  private static let mostSecondsBehind: Int64 = 3_600

  /// Problems of this range.
  /// - Parameter startsCold: whether effects know nothing of what was before it.
  func problems(_ plan: RenderPlan, startsCold: Bool) -> [NamedProblem] {
    guard !frames.isEmpty else {
      return [
        NamedProblem(problem: .empty, sentence: "There is nothing between the beginning and the end of the bounce.")
      ]
    }
    let ringsOn = !startsCold && plan.inserts.contains { $0.setup.kind == .delay || $0.setup.kind == .reverb }
    let sounds =
      plan.regions.contains { $0.frames.overlaps(frames) || ringsOn && $0.frames.lowerBound < frames.upperBound }
      || plan.instruments.contains { $0.plan.events.contains { $0.beginsNote && $0.frame < frames.upperBound } }
    return sounds && plan.isOpen ? [] : [NamedProblem(problem: .silent, sentence: "Nothing is heard in the range.")]
  }
}

extension RenderPlan {
  /// Whether the master is audible.
  fileprivate var isOpen: Bool {
    steps.contains { step in
      if case .output(_, _, let left, let right) = step { left != .constant(0) || right != .constant(0) } else { false }
    }
  }
}
