import DAWEngine
import DAWModel
import DAWTime

/// What the player needs to know of the audible project in addition to its plan.
struct PlayedProject: Sendable {
  var model: Project
  var time: PlayedTime
  /// In their order, without the master.
  var tracks: [(trackID: Int64, name: String)]
  /// The first frame behind all regions.
  var endFrame: TimelineFrame
  /// The frame of `--to`; `nil` without it.
  var to: TimelineFrame?
  /// Whether a tail follows the end.
  var ringsOn: Bool
  var silentMedia: Int
  /// Where the count-in ends; `nil` without one.
  var countInEnd: TimelineFrame?
  /// The MIDI to send, for the plan of this number.
  var ports: [PlannedPort]
  var planNumber: UInt64 = 0
  /// How many edits of the tempo have been published by then.
  var tempoEdits = 0
  var revision: Int64 { model.revision }

  init(_ project: Project, plan: RenderPlan, to: TimelineFrame?, countInEnd: TimelineFrame?, silentMedia: Int) {
    ports = plan.ports
    self.countInEnd = countInEnd
    model = project
    time = PlayedTime(map: project.tempoMap, rate: project.settings.sampleRate)
    tracks = project.tracksInOrder.filter { $0.trackType != .master }.map { ($0.id.rawValue, $0.name.description) }
    endFrame = plan.endFrame
    self.to = to
    ringsOn = plan.instruments.contains { !$0.isParked } || plan.inserts.contains(where: \.ringsOn)
    self.silentMedia = silentMedia
  }
}

extension PlannedInsert {
  /// Whether it sounds on, other than for a moment, where its input has ended.
  fileprivate var ringsOn: Bool { (setup.kind == .delay || setup.kind == .reverb) && share != .constant(0) }
}

/// Where musical places and flicks lie in frames, while a project plays.
struct PlayedTime: Equatable, Sendable {
  let map: TempoMap
  let rate: SampleRate

  func frame(at position: FlickPosition) -> TimelineFrame { TimelineFrame(position.frames(at: rate)) }

  func frame(at position: TickPosition) -> TimelineFrame { frame(at: map.flicks(at: position)) }

  /// - Parameter bar: from 1.
  func frame(atBar bar: Int64) -> TimelineFrame {
    guard let tick = try? map.ticks(at: BarBeatTick(bar: bar)) else { return 0 }
    return frame(at: tick)
  }

  func flicks(at frame: TimelineFrame) -> FlickPosition { frame.position.flicks(at: rate) }

  func ticks(at frame: TimelineFrame) -> TickPosition { map.ticks(at: flicks(at: frame)) }

  func barBeatTick(at frame: TimelineFrame) -> BarBeatTick { map.barBeatTick(at: ticks(at: frame)) }

  /// Where the musical places of a range lie now, of which an earlier time gave the frames; at least one frame.
  func range(_ range: Range<TimelineFrame>, of earlier: PlayedTime) -> Range<TimelineFrame> {
    guard self != earlier else { return range }
    let first = frame(at: earlier.ticks(at: range.lowerBound))
    return first..<max(first + 1, frame(at: earlier.ticks(at: range.upperBound)))
  }
}
