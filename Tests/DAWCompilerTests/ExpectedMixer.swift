import DAWEngine
import DAWModel
import DAWTestSupport
import DAWTime
import Foundation

@testable import DAWCompiler

/// What reaches the master, by the definitions of Decision 0020: every set is computed from every pair of strips.
struct ExpectedMixer {
  private struct Way {
    var source: Track
    var target: Track
    /// `nil`: the output.
    var send: Send?
  }

  private let project: Project
  private let tracks: [Track]
  private let ways: [Way]
  private let options: CompileOptions
  private let master: Track
  private let sourceCount: Int
  private let frame: Int
  private var lanes: [Lane.Owner: [String: ReferenceLane]] = [:]
  /// For each strip, those that it leads to, directly or by way of others.
  private let ends: [TrackID: Set<TrackID>]
  /// Those that were asked for.
  private var signals: [TrackID: StereoSignal] = [:]
  /// The largest gain that was met on the way.
  private(set) var largest = 1.0

  /// - Parameter frame: at which the lanes are read.
  init?(_ project: Project, _ options: CompileOptions, sourceCount: Int, frame: TimelineFrame = 0) {
    guard let master = project.tracks.values.first(where: { $0.trackType == .master }) else { return nil }
    self.project = project
    self.options = options
    self.master = master
    self.sourceCount = sourceCount
    self.frame = frame.number
    for lane in project.lanes.values where lane.isRead {
      guard let owner = lane.owner, let points = project.lanePoints[lane.id], !points.isEmpty else { continue }
      lanes[owner, default: [:]][lane.parameter] = ReferenceLane(lane, points)
    }
    tracks = project.tracks.values.sorted { $0.id < $1.id }
    var ways: [Way] = []
    for track in tracks where track.trackType != .master && track.isOutputConnected {
      ways.append(Way(source: track, target: track.outputBus.flatMap { project.tracks[$0] } ?? master, send: nil))
    }
    for send in project.sends.values.sorted(by: { $0.id < $1.id }) {
      guard let source = project.tracks[send.track], let target = project.tracks[send.bus] else { return nil }
      ways.append(Way(source: source, target: target, send: send))
    }
    self.ways = ways
    ends = Dictionary(uniqueKeysWithValues: tracks.map { ($0.id, Self.ends(of: $0.id, along: ways)) })
  }

  private static func ends(of track: TrackID, along ways: [Way]) -> Set<TrackID> {
    ways.filter { $0.source.id == track }.reduce(into: []) { ends, way in
      ends.insert(way.target.id)
      ends.formUnion(Self.ends(of: way.target.id, along: ways))
    }
  }

  // MARK: Sets

  private func groups(of track: Track) -> [TrackGroup] {
    project.groupMembers.values.filter { $0.track == track.id }.compactMap { project.groups[$0.group] }
  }

  /// A strip whose mute has a lane counts as open: the lane is a gain.
  private func isMuted(_ owner: Lane.Owner, _ isSet: Bool) -> Bool { isSet && lanes[owner]?["mute"] == nil }

  private func isMuted(_ track: Track) -> Bool {
    isMuted(.track(track.id), track.isMuted)
      || groups(of: track).contains { isMuted(.group($0.id), $0.isMuted) }
  }

  /// The gain of a mute that has a lane.
  private func gate(_ owner: Lane.Owner) -> Double { lanes[owner]?["mute"]?.value(at: frame, in: .mute) ?? 1 }

  private func gate(_ track: Track) -> Double {
    if isSoloed(track) { return 1 }
    return groups(of: track).reduce(gate(.track(track.id))) { $0 * gate(.group($1.id)) }
  }

  private func isSoloed(_ track: Track) -> Bool {
    guard track.trackType != .master else { return false }
    if let soloed = options.soloedTracks { return soloed.contains(track.id) }
    return track.isSolo || groups(of: track).contains { $0.isSolo }
  }

  private var hasSolo: Bool { options.soloedTracks != nil || tracks.contains(where: isSoloed) }

  private func leads(_ source: Track, to target: Track) -> Bool {
    ends[source.id]?.contains(target.id) ?? false
  }

  private func isOpen(_ way: Way) -> Bool {
    if let send = way.send, isMuted(.send(send.id), send.isMuted) { return false }
    guard isSoloed(way.source) || !isMuted(way.source) else { return false }
    if way.target.trackType == .master, let stem = options.stem, stem != way.source.id { return false }
    guard hasSolo else { return true }
    let leading = tracks.filter { isSoloed($0) || $0.isSoloSafe }
    if leading.contains(where: { $0.id == way.source.id || leads($0, to: way.source) }) { return true }
    let soloedBuses = tracks.filter { isSoloed($0) && $0.trackType == .bus }
    return soloedBuses.contains { $0.id == way.target.id || leads(way.target, to: $0) }
  }

  // MARK: Signals

  private func gain(_ decibels: Double) -> Double { decibels == 0 ? 1 : pow(10, decibels / 20) }

  /// The linear gain of a level: its lane's, or the set one.
  private func gain(_ parameter: String, of owner: Lane.Owner, _ level: Level) -> Double {
    lanes[owner]?[parameter]?.value(at: frame, in: .level) ?? gain(level.decibels)
  }

  private func fader(_ track: Track) -> Double {
    groups(of: track).reduce(gain("volume", of: .track(track.id), track.volume)) {
      $0 * gain("volume", of: .group($1.id), $1.volume)
    }
  }

  private func width(_ track: Track) -> ChannelWidth {
    track.trackType == .audio && track.channelCount == 1 ? .mono : .stereo
  }

  private func sides(_ pan: Double, _ width: ChannelWidth) -> (Double, Double) {
    let balance = (min(1, 1 - pan), min(1, 1 + pan))
    guard width == .mono else { return balance }
    let angle = Double.pi / 4 * (1 + pan)
    let (power, line) = ((max(0, cos(angle)), sin(angle)), ((1 - pan) / 2, (1 + pan) / 2))
    switch project.settings.panLaw {
    case .constantPowerMinus3dB: return power
    case .linearMinus6dB: return line
    case .compromiseMinus4_5dB: return ((power.0 * line.0).squareRoot(), (power.1 * line.1).squareRoot())
    case .balance0dB: return balance
    }
  }

  private func sides(_ lane: ReferenceLane?, _ pan: Double, _ width: ChannelWidth) -> (Double, Double) {
    guard let lane else { return sides(pan, width) }
    return (
      lane.value(at: frame, in: .pan { sides($0, width).0 }), lane.value(at: frame, in: .pan { sides($0, width).1 })
    )
  }

  /// Behind the strip's trim, polarity and width.
  private mutating func signal(_ track: Track) -> StereoSignal {
    if let known = signals[track.id] { return known }
    var signal = StereoSignal(sourceCount: sourceCount)
    if track.trackType == .audio {
      guard !project.regions(of: track.id).isEmpty else { return signal }
      signal = StereoSignal(source: Int(track.id.rawValue) - 1, width: width(track), sourceCount: sourceCount)
    }
    for way in ways where way.target.id == track.id && isOpen(way) {
      let ownLane = way.send.flatMap { lanes[.send($0.id)]?["pan"] }
      let trackLane = way.send?.pan == nil ? lanes[.track(way.source.id)]?["pan"] : nil
      var gains = sides(ownLane ?? trackLane, (way.send?.pan ?? way.source.pan).position, width(way.source))
      var level = way.send.map { gain("level", of: .send($0.id), $0.level) * gate(.send($0.id)) } ?? 1
      level *= gate(way.source)
      let volume = way.send?.isPreFader == true ? level : level * fader(way.source)
      gains = (gains.0 * volume, gains.1 * volume)
      let source = self.signal(way.source)
      signal += (width(way.source) == .mono ? source.doubled : source).times(gains.0, gains.1)
    }
    let trim = gain("trim", of: .track(track.id), track.trim)
    let (left, right) = (
      track.invertedSides == .left || track.invertedSides == .both,
      track.invertedSides == .right || track.invertedSides == .both
    )
    signal = signal.times(left ? -trim : trim, right ? -trim : trim)
    if width(track) == .stereo {
      signal = signal.widened(
        lanes[.track(track.id)]?["stereoWidth"]?.value(at: frame, in: .plain) ?? track.stereoWidth)
    }
    largest = max(largest, signal.largest)
    signals[track.id] = signal
    return signal
  }

  mutating func output() -> StereoSignal {
    let owner = Lane.Owner.track(master.id)
    guard !isMuted(owner, master.isMuted) else { return StereoSignal(sourceCount: sourceCount) }
    let (left, right) = sides(lanes[owner]?["pan"], master.pan.position, .stereo)
    let volume = gain("volume", of: owner, master.volume) * gate(owner)
    return signal(master).times(left * volume, right * volume)
  }
}

extension ReferenceLane {
  /// Of a project at 120 BPM and 48,000 Hz.
  fileprivate init(_ lane: Lane, _ points: [LanePoint]) {
    let perFrame = lane.timeBase == .musical ? 0.64 : 14_700
    self.init(
      points.map { point in
        let frame = (Double(point.position) / perFrame).rounded(.toNearestOrEven)
        return Point(frame: Int(frame), value: point.value, shape: point.shape)
      })
  }
}
