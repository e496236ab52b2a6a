import DAWTime
import Synchronization

/// Gain reduction over a range of the timeline, in dB ≥ 0.
public struct GainReduction: Hashable, Sendable {
  public var greatest: Double
  /// Over all frames of the range, and both sides.
  public var mean: Double
}

/// Collects the gain reduction of a plan's dynamics effects over a range of the timeline from the stages that run them.
public final class MeasuredReductions: Sendable {
  /// Timeline frames of the effects' output.
  public let frames: Range<TimelineFrame>
  private let found = Mutex<[Int64: GainReduction]>([:])

  public init(over frames: Range<TimelineFrame>) { self.frames = frames }

  /// By the effect's id; none for an effect that is bypassed, or has not been run up to the end of the range.
  public var reductions: [Int64: GainReduction] { found.withLock { $0 } }

  func set(_ reduction: GainReduction, of effectID: Int64) { found.withLock { $0[effectID] = reduction } }
}

extension PlannedInsert {
  /// Whether it is a dynamics effect that is computed.
  fileprivate var isMeasured: Bool { setup.kind.isDynamics && share != .constant(0) }
}

/// Where the effects of a part begin and end to be measured.
struct ReductionMarks {
  private struct Mark {
    /// Timeline frame of the part's output, at which the effect's is at one of the ends of the range.
    var frame: TimelineFrame
    /// Index into `RenderPlan.inserts`.
    var insert: Int
    var isEnd: Bool
  }

  private let measured: MeasuredReductions?
  private let effectIDs: [Int64]
  /// Those to come, the next one last.
  private var marks: [Mark] = []

  init(_ plan: RenderPlan, _ measured: MeasuredReductions?) {
    self.measured = measured
    effectIDs = plan.inserts.map(\.effectID)
    guard let frames = measured?.frames else { return }
    let delayed = plan.withDelays
    for (step, lead) in zip(delayed.steps, delayed.leads) {
      guard case .insert(_, let index, _, _, _) = step, plan.inserts[index].isMeasured else { continue }
      // What follows an effect may be late: then it is ahead of the part's output.
      let ahead = lead - plan.inserts[index].latency
      marks.append(Mark(frame: frames.lowerBound - ahead, insert: index, isEnd: false))
      marks.append(Mark(frame: frames.upperBound - ahead, insert: index, isEnd: true))
    }
    marks.sort { $0.frame > $1.frame }
  }

  /// The frame up to which the part can be rendered before `pass` is called.
  var nextFrame: TimelineFrame? { marks.last?.frame }

  /// The part has been rendered up to a frame, and not beyond `nextFrame`.
  mutating func pass(_ frame: TimelineFrame, _ effect: (Int) -> EffectState) {
    while let mark = marks.last, mark.frame <= frame {
      marks.removeLast()
      if mark.isEnd {
        let (greatest, mean) = effect(mark.insert).reduction
        measured?.set(GainReduction(greatest: greatest, mean: mean), of: effectIDs[mark.insert])
      } else {
        effect(mark.insert).clearReduction()
      }
    }
  }
}
