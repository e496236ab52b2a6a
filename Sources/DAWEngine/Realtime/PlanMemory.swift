import CSampleCodec
import DAWTime

/// A linked plan's memory as plain pointers. Owned by `LinkedPlan`.
struct PlanMemory {
  /// Frames in a buffer.
  var maximumFrames: Int
  var path: daw_sample_path
  var steps: UnsafeMutablePointer<LinkedStep>
  var stepCount: Int
  /// For each step, its lead's index in `leads`; not read if no step has one.
  var stepLeads: UnsafeMutablePointer<Int>
  /// The different leads of the steps, in frames.
  var leads: UnsafeMutablePointer<Int>
  /// At least one; a single one is 0.
  var leadCount: Int
  var regions: UnsafeMutablePointer<LinkedRegion>
  /// For each track with regions, where they are, and which of them sound.
  var trees: UnsafeMutablePointer<RegionTree>
  var treeCount: Int
  var groups: UnsafeMutablePointer<RegionGroup>
  /// For each group, its regions in order of start.
  var startOrder: UnsafeMutablePointer<Int>
  /// For each group, the regions that overlap the slice, in order of id; the first `RegionGroup.activeCount` are valid.
  var active: UnsafeMutablePointer<Int>
  /// For each group, a binary tree of its regions' ends in order of start: node 1 is the root, node n has the greater
  /// of nodes 2n and 2n + 1, and the leaves begin at `RegionTree.leafCount`.
  var ends: UnsafeMutablePointer<TimelineFrame>
  var curves: UnsafeMutablePointer<LinkedCurve>
  var points: UnsafeMutablePointer<LinkedPoint>
  var factors: UnsafeMutablePointer<LinkedFactor>
  /// The controls that a passage leads from.
  var controls: UnsafeMutablePointer<LinkedControl>
  /// The gains of mixes and outputs, and the shapes of strips.
  var sides: UnsafeMutablePointer<LinkedSides>
  var shapes: UnsafeMutablePointer<LinkedShape>
  /// The buffers: left, then right, of `maximumFrames` each, and `sideStride` apart.
  var samples: UnsafeMutablePointer<Float>
  var sideStride: Int
  /// Whether a buffer is silent; its samples are then not valid.
  var isSilent: UnsafeMutablePointer<Bool>
  /// A piece of a stream as floats, interleaved; in a step that monitors, how much of the replaced signal is kept.
  var unpacked: UnsafeMutablePointer<Float>
  /// The channels picked from it, two pieces of room; in a step that monitors, a copy of the input.
  var picked: UnsafeMutablePointer<Float>
  /// A control's values over a slice.
  var gains: UnsafeMutablePointer<Float>
  /// In a passage, those of the control that it leads from.
  var earlierGains: UnsafeMutablePointer<Float>
  /// The product of a control's factors.
  var products: UnsafeMutablePointer<Double>
  /// The product of one side's factors, where the two have factors in common.
  var sideProducts: UnsafeMutablePointer<Double>
  /// A curve's values.
  var values: UnsafeMutablePointer<Double>
  /// Room for the knots of three curves, `LinkedCurve.knotRoom` each.
  var knots: UnsafeMutablePointer<Double>
  var inserts: UnsafeMutablePointer<LinkedInsert>
  /// The parameters of the effects; then those that a passage leads from.
  var parameters: UnsafeMutablePointer<LinkedParameter>
  /// Room for the values of an effect's parameters at two knots.
  var settings: UnsafeMutablePointer<Double>
  /// Room for the unprocessed signal of an effect: left, then right, of `maximumFrames` each.
  var dry: UnsafeMutablePointer<Float>
  /// The strips whose inputs are heard.
  var monitors: UnsafeMutablePointer<LinkedMonitor>
  var monitorCount: Int
}

// MARK: Steps

// A plan in memory: plain values behind pointers, which the audio thread follows without reference counting.

enum LinkedStep {
  case clear(buffer: Int)
  /// `fusedMix` is set if the next step is the only reader of the buffer.
  case sumRegions(group: Int, buffer: Int, isStereo: Bool, fusedMix: FusedMix?)
  case playInstrument(instrument: Int, buffer: Int, fusedMix: FusedMix?)
  /// `index` is one into `PlanMemory.monitors`.
  case monitor(index: Int, buffer: Int, isStereo: Bool)
  /// `shape` is an index into `PlanMemory.shapes`.
  case shape(buffer: Int, isStereo: Bool, shape: Int)
  case widen(buffer: Int, gain: Float)
  /// `index` is one into `PlanMemory.inserts`; `key` is the buffer of the key, −1 without one.
  case insert(index: Int, buffer: Int, isStereo: Bool, key: Int)
  /// `source` and `target` are buffers, as in a mix.
  case delay(UnsafeMutablePointer<DelayMemory>, source: Int, target: Int, isStereo: Bool)
  /// A mix with constant gains.
  case mixAtRest(source: Int, isStereo: Bool, target: Int, left: Float, right: Float)
  /// `gains` is an index into `PlanMemory.sides`.
  case mix(source: Int, isStereo: Bool, target: Int, gains: Int)
  /// `gains` is an index into `PlanMemory.sides`.
  case output(buffer: Int, gains: Int)
}

/// A mix step fused into the step before it: samples are added to the mix's target directly, not by way of the track's
/// buffer. The bits are the same, since the buffer would hold +0 plus the sample.
struct FusedMix {
  var target: Int
  /// If `isMoving`, these are not valid: the mix is fused in slices in which its gains rest.
  var left: Float
  var right: Float
  var isMoving: Bool
}

struct LinkedControl {
  /// The gain, if there are no factors.
  var constant: Float
  /// Index into `PlanMemory.factors`.
  var firstFactor: Int32
  var factorCount: Int32
  /// In a passage, the control that it leads from, in `PlanMemory.controls`; −1 for none.
  var earlier: Int32
  /// In a passage, whether its frames are those of the plan before.
  var isOfPlanBefore: Bool

  var isConstant: Bool { @_noLocks get { factorCount == 0 && earlier < 0 } }

  /// Whether it has a control of the plan before.
  var isOfPassage: Bool { @_noLocks get { earlier >= 0 || isOfPlanBefore } }

  var factors: Range<Int> { @_noLocks get { Int(firstFactor)..<Int(firstFactor + factorCount) } }
}

/// One coefficient for each side.
struct LinkedSides {
  var left: LinkedControl
  var right: LinkedControl
  /// How many of the first factors both sides have in common.
  var commonCount: Int32

  var isConstant: Bool { @_noLocks get { left.isConstant && right.isConstant } }

  /// The factors that both sides have in common.
  var common: Range<Int> {
    @_noLocks get { Int(left.firstFactor)..<Int(left.firstFactor + commonCount) }
  }

  /// Whether a side has at most one factor of its own.
  var isSimple: Bool {
    @_noLocks get { left.factorCount - commonCount <= 1 && right.factorCount - commonCount <= 1 }
  }
}

struct LinkedShape {
  var trim: LinkedControl
  var invertsLeft: Bool
  var invertsRight: Bool
  var hasWidth: Bool
  var stereoWidth: LinkedControl
}

struct LinkedFactor {
  var constant: Double
  /// Index into `PlanMemory.curves`; −1 for the constant.
  var curve: Int32

  static var one: LinkedFactor { @_noLocks get { LinkedFactor(constant: 1, curve: -1) } }
}

/// An effect in a plan, with its memory, which the plan's `ProcessorStates` own.
struct LinkedInsert {
  var effect: Unmanaged<EffectState>
  var dry: UnsafeMutablePointer<DelayMemory>
  var place: UnsafeMutablePointer<ProcessorPlace>
  var latency: Int
  /// Indices into `PlanMemory.parameters`.
  var firstParameter: Int
  var parameterCount: Int
  /// Whether all parameters are constant.
  var isAtRest: Bool
  var share: LinkedControl
}

/// An input that is heard.
struct LinkedMonitor {
  var trackID: Int64
  var from: InputMonitoring
  var to: InputMonitoring
  /// What comes in, set for each slice; `nil`: silence.
  var left: UnsafePointer<Float>?
  /// `nil`: the same as `left`.
  var right: UnsafePointer<Float>?
}

struct LinkedParameter {
  var constant: Double
  /// Index into `PlanMemory.curves`; −1 for a constant.
  var curve: Int
  /// In a passage, the parameter that it leads from, in `PlanMemory.parameters`; −1 for none.
  var earlier: Int
  /// Whether its value is that of the frame that comes out of the effect, and not of the one that goes in.
  var isOfOutput = false
}

struct LinkedCurve {
  /// The most stretches of 16 frames that are computed at a time.
  static var mostStretches: Int { @_noLocks get { 256 } }
  /// Room for the knots of `mostStretches`, rounded up to whole vectors of the processor.
  static var knotRoom: Int { @_noLocks get { mostStretches + knotVector } }
  /// Knots are computed in multiples of this.
  static var knotVector: Int { @_noLocks get { 8 } }

  /// Index into `PlanMemory.points`.
  var firstPoint: Int
  /// At least one.
  var pointCount: Int
  var scale: Curve.Scale
  /// Whether there are jumps that are spread over frames.
  var hasJumps: Bool
  /// The least and the greatest value of its points.
  var least: Double
  var greatest: Double
  /// The last point at or before the frame that was asked for last: where the next search begins.
  var place = -1
}

typealias LinkedPoint = Curve.Point

struct LinkedRegion {
  var start: TimelineFrame
  var end: TimelineFrame
  var anchor: TimelineFrame
  var source: Int
  /// The region that its frames are read for, in its own plan; in a passage that may be the plan before.
  var stream: Int
  var isOfPlanBefore: Bool
  var format: daw_sample_format
  var channelCount: Int
  /// Bytes of a frame of the source.
  var byteCount: Int
  var pick: ChannelPick
  var gain: LinkedControl
  /// The most frames requested at a time, at least 1.
  var pieceFrames: Int
}

/// Which of a track's regions overlap the current slice.
struct RegionGroup {
  var tree: RegionTree
  /// Whether its frames are on the timeline of the plan before, in a passage.
  var isOfPlanBefore: Bool
  /// How many regions, in order of start, begin before the slice's end.
  var seen = 0
  var activeCount = 0
  /// Whether no two of the active regions overlap.
  var isDisjoint = true
  /// The start of the slice that `active` was last computed for.
  var frame = TimelineFrame.min
  /// Slices within `frame ..< validEnd` have the same active regions.
  var validEnd = TimelineFrame.min
}

/// Frames that the runner needs before it can continue.
public struct StreamRequest: Hashable, Sendable {
  /// What the frames are of.
  public enum Stream: Hashable, Sendable {
    /// Index into `RenderPlan.regions`, and into `RenderPlan.sources`; the first frame.
    case region(Int, source: Int, FileFrame)
    /// Index into `RenderPlan.instruments`; the first frame.
    case instrument(Int, TimelineFrame)
  }

  public var stream: Stream
  /// At least 1; the answer may have fewer, at least 1.
  public var frameCount: Int

  @_noLocks init(stream: Stream, frameCount: Int) {
    self.stream = stream
    self.frameCount = frameCount
  }
}
