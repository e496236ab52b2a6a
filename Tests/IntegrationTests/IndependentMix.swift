import Foundation

/// A mix computed from a project's JSON by plain arithmetic in `Double`, written without a look at the engine: what the
/// bounce is compared with.
struct IndependentMix {
  private let song: IndependentSong
  private let routing: IndependentRouting
  private let lanes: IndependentLanes
  private let frames: Int
  private var recordings: IndependentRecordings
  /// By track: before the faders.
  private var signals: [String: IndependentStrip] = [:]
  /// By track: behind the effects that follow the faders, where there are any.
  private var ends: [String: IndependentStrip] = [:]

  /// What the master gives.
  private(set) var output: IndependentStrip

  /// - Parameters:
  ///   - json: of `daw show --json --notes`, of a project with audio in absolute time at the project's rate, and with
  ///     effects that are known exactly.
  ///   - folder: the project's.
  ///   - frames: the length of the mix, from 0 on.
  init(json: Data, folder: URL, frames: Int) throws {
    song = try JSONDecoder().decode(IndependentSong.self, from: json)
    lanes = IndependentLanes(song, frames: frames)
    routing = IndependentRouting(song, lanes)
    recordings = IndependentRecordings(folder: folder, sampleRate: song.sampleRate)
    self.frames = frames
    output = IndependentStrip(frames: frames)
    for track in routing.tracksInOrder { try mix(track) }
  }

  private mutating func mix(_ track: IndependentSong.Strip) throws {
    var signal = IndependentStrip(frames: frames, isMono: track.isMono)
    if track.trackType == "audio" { try recordings.add(track, to: &signal) }
    for connection in routing.connections where connection.target == track.name && routing.isOpen(connection) {
      if let end = ends[connection.source], connection.send?.isPreFader != true {
        signal.add(end, gains: routing.gains(behindEffectsOf: connection))
      } else if let source = signals[connection.source] {
        signal.add(source, gains: routing.gains(of: connection, isMono: source.isMono))
      }
    }
    signal.shape(track, lanes)
    try apply(effectsOf: track, isPostFader: false, to: &signal)
    signals[track.name] = signal
    let isMaster = track.name == routing.master.name
    guard isMaster || track.effects.contains(where: { $0.isPostFader && !$0.isOff }) else { return }
    var end = signal.times(routing.fader(of: track, isMono: signal.isMono))
    try apply(effectsOf: track, isPostFader: true, to: &end)
    if isMaster { output = end } else { ends[track.name] = end }
  }

  private func apply(
    effectsOf track: IndependentSong.Strip, isPostFader: Bool, to strip: inout IndependentStrip
  ) throws {
    for effect in track.effects where !effect.isOff && effect.isPostFader == isPostFader {
      let key = effect.key.flatMap { name in signals[name]?.times(routing.gate(of: name)) }
      let centre = routing.sides(atPan: 0, isMono: true).0
      try IndependentEffect(effect, sampleRate: song.sampleRate).apply(to: &strip, key: key, centre: centre)
    }
  }

  /// Compares it with what was bounced.
  /// - Parameters:
  ///   - bounced: both sides.
  ///   - first: the frame of the mix that the bounce begins with.
  /// - Returns: the first sample that is further away than its roundings allow; `nil` if there is none.
  func firstDifference(from bounced: [[Double]], startingAt first: Int) -> String? {
    for (side, mix) in [output.left, output.right].enumerated() {
      for place in 0..<bounced[side].count {
        let (sample, expected) = (bounced[side][place], mix[first + place])
        let bound = output.error(at: first + place)
        guard abs(sample - expected) <= bound else {
          return "frame \(first + place), side \(side): \(sample), not \(expected) ± \(bound)"
        }
      }
    }
    return nil
  }
}
