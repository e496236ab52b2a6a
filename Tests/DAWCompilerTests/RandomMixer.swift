import DAWModel
import DAWTestSupport

extension Song {
  /// Tracks and buses at random, which feed each other without a cycle.
  static func randomMixer(_ random: inout SeededGenerator) -> Song {
    var song = Song()
    song.settings.panLaw = PanLaw.allCases.randomElement(using: &random) ?? .balance0dB
    func oneIn(_ count: Int) -> Bool { Int.random(in: 0..<count, using: &random) == 0 }
    func level() -> Double { oneIn(12) ? -.infinity : Double(Int.random(in: -20...6, using: &random)) }
    func pan() -> Double { Double(Int.random(in: -4...4, using: &random)) / 4 }
    let hasSolos = oneIn(2)
    // A bus feeds only those that come after it here, which is not the order of their ids.
    var buses: [TrackID] = []
    let count = Int.random(in: 1...16, using: &random)
    for _ in 0..<count {
      let channels = oneIn(2) ? 1 : 2
      let id = song.addTrack(
        oneIn(3) ? .bus : .audio, channels: channels, volume: level(), pan: pan(), isMuted: oneIn(7),
        isSolo: hasSolos && oneIn(6))
      if song.tracks[song.tracks.count - 1].trackType == .bus {
        song.tracks[song.tracks.count - 1].channelCount = 2
        buses.insert(id, at: Int.random(in: 0...buses.count, using: &random))
      } else if !oneIn(10) {
        song.addRegion(id, file: Int64(channels))
      }
    }
    let others = song.tracks.map(\.id).filter { $0.rawValue < 1_000 }
    for index in song.tracks.indices {
      song.tracks[index].trim = Level(decibels: oneIn(2) ? 0 : Double(Int.random(in: -6...6, using: &random)))
      song.tracks[index].invertedSides =
        oneIn(3) ? InvertedSides.allCases.randomElement(using: &random) ?? .none : .none
      if oneIn(3) { song.tracks[index].stereoWidth = Double(Int.random(in: -4...8, using: &random)) / 4 }
      guard song.tracks[index].trackType != .master else {
        song.tracks[index].isMuted = oneIn(20)
        continue
      }
      song.tracks[index].isSoloSafe = oneIn(8)
      song.tracks[index].isOutputConnected = !oneIn(8)
      let id = song.tracks[index].id
      let after = Array(buses.drop { $0 != id }.dropFirst())
      let targets = song.tracks[index].trackType == .bus ? after : buses
      if oneIn(2) { song.tracks[index].outputBus = targets.randomElement(using: &random) }
      for target in targets where oneIn(4) {
        song.addSend(
          id, to: target, level: level(), pan: oneIn(2) ? pan() : nil, isPreFader: oneIn(3), isMuted: oneIn(6))
      }
    }
    song.sends.shuffle(using: &random)
    for index in song.sends.indices { song.sends[index].id = SendID(rawValue: Int64(index + 1)) }
    for _ in 0..<Int.random(in: 0...2, using: &random) {
      song.addGroup(
        others.filter { _ in oneIn(3) }, volume: level(), isMuted: oneIn(5), isSolo: hasSolos && oneIn(4))
    }
    return song
  }
}
