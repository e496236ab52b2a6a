import DAWEngine
import DAWModel
import DAWTime

/// What the player needs to know of the audible project in addition to its plan.
struct PlayedProject: Sendable {
  var model: Project
  var time: PlayedTime
  /// In their order, without the master.
  var tracks: [(trackID: Int64, name: String)]
  /// The first timeline frame behind all regions.
  var endFrame: Int64
  /// Timeline frame of `--to`; `nil` without one.
  var to: Int64?
  /// Whether a tail follows the end.
  var ringsOn: Bool
  var silentMedia: Int
  /// Timeline frame where the count-in ends; `nil` without one.
  var countInEnd: Int64?
  /// The MIDI to send, for the plan of this number.
  var ports: [PlannedPort]
  var planNumber: UInt64 = 0
  var revision: Int64 { model.revision }

  init(_ project: Project, plan: RenderPlan, to: Int64?, countInEnd: Int64?, silentMedia: Int) {
    ports = plan.ports
    self.countInEnd = countInEnd
    model = project
    time = PlayedTime(map: project.tempoMap, rate: project.settings.sampleRate)
    tracks = project.tracksInOrder.filter { $0.trackType != .master }.map { ($0.id.rawValue, $0.name.description) }
    endFrame = plan.endFrame
    self.to = to
    ringsOn = plan.instruments.contains { !$0.isParked }
    self.silentMedia = silentMedia
  }
}

/// Where musical places and flicks lie in frames, while a project plays.
struct PlayedTime: Equatable, Sendable {
  let map: TempoMap
  let rate: SampleRate

  func frame(at position: FlickPosition) -> Int64 { position.frames(at: rate).frames }

  func frame(at position: TickPosition) -> Int64 { frame(at: map.flicks(at: position)) }

  /// - Parameter bar: from 1.
  func frame(atBar bar: Int64) -> Int64 {
    guard let tick = try? map.ticks(at: BarBeatTick(bar: bar)) else { return 0 }
    return frame(at: tick)
  }

  func flicks(at frame: Int64) -> FlickPosition { FramePosition(frames: frame).flicks(at: rate) }

  func ticks(at frame: Int64) -> TickPosition { map.ticks(at: flicks(at: frame)) }

  func barBeatTick(at frame: Int64) -> BarBeatTick { map.barBeatTick(at: ticks(at: frame)) }
}
