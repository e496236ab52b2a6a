import DAWEngine
import DAWModel
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
  /// The largest gain that was met on the way.
  private(set) var largest = 1.0

  init?(_ project: Project, _ options: CompileOptions, sourceCount: Int) {
    guard let master = project.tracks.values.first(where: { $0.trackType == .master }) else { return nil }
    self.project = project
    self.options = options
    self.master = master
    self.sourceCount = sourceCount
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
  }

  // MARK: Sets

  private func groups(of track: Track) -> [TrackGroup] {
    project.groupMembers.values.filter { $0.track == track.id }.compactMap { project.groups[$0.group] }
  }

  private func isMuted(_ track: Track) -> Bool { track.isMuted || groups(of: track).contains { $0.isMuted } }

  private func isSoloed(_ track: Track) -> Bool {
    guard track.trackType != .master else { return false }
    if let soloed = options.soloedTracks { return soloed.contains(track.id) }
    return track.isSolo || groups(of: track).contains { $0.isSolo }
  }

  private var hasSolo: Bool { options.soloedTracks != nil || tracks.contains(where: isSoloed) }

  private func leads(_ source: Track, to target: Track) -> Bool {
    ways.contains { $0.source.id == source.id && ($0.target.id == target.id || leads($0.target, to: target)) }
  }

  private func isOpen(_ way: Way) -> Bool {
    guard way.send?.isMuted != true, isSoloed(way.source) || !isMuted(way.source) else { return false }
    if way.target.trackType == .master, let stem = options.stem, stem != way.source.id { return false }
    guard hasSolo else { return true }
    let leading = tracks.filter { isSoloed($0) || $0.isSoloSafe }
    if leading.contains(where: { $0.id == way.source.id || leads($0, to: way.source) }) { return true }
    let soloedBuses = tracks.filter { isSoloed($0) && $0.trackType == .bus }
    return soloedBuses.contains { $0.id == way.target.id || leads(way.target, to: $0) }
  }

  // MARK: Signals

  private func gain(_ decibels: Double) -> Double { decibels == 0 ? 1 : pow(10, decibels / 20) }

  private func fader(_ track: Track) -> Double {
    groups(of: track).reduce(gain(track.volume.decibels)) { $0 * gain($1.volume.decibels) }
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

  /// Behind the strip's trim, polarity and width.
  private mutating func signal(_ track: Track) -> StereoSignal {
    var signal = StereoSignal(sourceCount: sourceCount)
    if track.trackType == .audio {
      guard !project.regions(of: track.id).isEmpty else { return signal }
      signal = StereoSignal(source: Int(track.id.rawValue) - 1, width: width(track), sourceCount: sourceCount)
    }
    for way in ways where way.target.id == track.id && isOpen(way) {
      var gains = sides((way.send?.pan ?? way.source.pan).position, width(way.source))
      let level = way.send.map { gain($0.level.decibels) } ?? 1
      let volume = way.send?.isPreFader == true ? level : level * fader(way.source)
      gains = (gains.0 * volume, gains.1 * volume)
      let source = self.signal(way.source)
      signal += (width(way.source) == .mono ? source.doubled : source).times(gains.0, gains.1)
    }
    let trim = gain(track.trim.decibels)
    let (left, right) = (
      track.invertedSides == .left || track.invertedSides == .both,
      track.invertedSides == .right || track.invertedSides == .both
    )
    signal = signal.times(left ? -trim : trim, right ? -trim : trim)
    if width(track) == .stereo { signal = signal.widened(track.stereoWidth) }
    largest = max(largest, signal.largest)
    return signal
  }

  mutating func output() -> StereoSignal {
    guard !master.isMuted else { return StereoSignal(sourceCount: sourceCount) }
    let (left, right) = sides(master.pan.position, .stereo)
    return signal(master).times(left * gain(master.volume.decibels), right * gain(master.volume.decibels))
  }
}
