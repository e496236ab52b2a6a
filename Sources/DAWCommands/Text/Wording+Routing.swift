import DAWInterchange
import DAWModel
import DAWProject

extension Wording {
  /// "trim -3 dB", "left inverted", "width 0.5": what comes before the fader.
  static func strip(_ track: TrackDocument) -> [String] {
    var words: [String] = []
    if track.trim != .unity { words.append("trim \(track.trim)") }
    if track.invertedSides != .none {
      words.append(track.invertedSides == .both ? "inverted" : "\(track.invertedSides.rawValue) inverted")
    }
    if track.stereoWidth != 1 { words.append("width \(number(track.stereoWidth))") }
    return words
  }

  /// "audio, stereo, -3 dB, to Band, in Drums": settings and connections.
  static func settingsAndRouting(_ track: TrackDocument) -> String {
    ([settings(track)] + [routing(track)].compactMap(\.self)).joined(separator: ", ")
  }

  /// "from system:capture_1, to Band, sends to Reverb, Echo, in Drums"; `nil` if the track has no input, feeds only the
  /// master and is in no group.
  static func routing(_ track: TrackDocument) -> String? {
    var words = inputs(of: track)
    if let bus = track.outputBus { words.append("to \(bus)") }
    if !track.isOutputConnected { words.append("no output") }
    if !track.sends.isEmpty {
      words.append("\(track.sends.count == 1 ? "send" : "sends") to \(track.sends.map(\.bus).joined(separator: ", "))")
    }
    if !track.groups.isEmpty { words.append("in \(track.groups.joined(separator: ", "))") }
    return words.isEmpty ? nil : words.joined(separator: ", ")
  }

  /// "-12 dB, pan 0.5, pre-fader, muted".
  static func settings(_ send: Send) -> String {
    var words = [send.level.description]
    if let pan = send.pan { words.append("pan \(pan)") }
    if send.isPreFader { words.append("pre-fader") }
    if send.isMuted { words.append("muted") }
    return words.joined(separator: ", ")
  }

  /// "-3 dB, muted: Kick, Snare".
  static func settings(_ group: GroupDocument) -> String {
    var words: [String] = []
    if group.volume != .unity { words.append(group.volume.description) }
    if group.isMuted { words.append("muted") }
    if group.isSolo { words.append("solo") }
    let tracks = group.members.isEmpty ? "no tracks" : group.members.map(\.track).joined(separator: ", ")
    return (words.isEmpty ? "" : words.joined(separator: ", ") + ": ") + tracks
  }
}
