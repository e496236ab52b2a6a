import DAWModel
import DAWTestSupport
import DAWTime

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
  /// The same with lanes of every parameter, some at rest, some not read.
  static func randomAutomatedMixer(_ random: inout SeededGenerator) -> Song {
    var song = randomMixer(&random)
    for track in song.tracks {
      for parameter in ["volume", "pan", "mute", "trim", "stereoWidth"] {
        song.addRandomLane(parameter, of: .track(track.id), &random)
      }
    }
    for send in song.sends {
      for parameter in ["level", "pan", "mute"] { song.addRandomLane(parameter, of: .send(send.id), &random) }
    }
    for group in song.groups {
      for parameter in ["volume", "mute"] { song.addRandomLane(parameter, of: .group(group.id), &random) }
    }
    return song
  }

  private mutating func addRandomLane(
    _ parameter: String, of owner: Lane.Owner, _ random: inout SeededGenerator
  ) {
    func number(_ range: ClosedRange<Int>) -> Int { Int.random(in: range, using: &random) }
    guard number(0...2) == 0 else { return }
    func value() -> Double {
      switch parameter {
      case "volume", "level": number(0...5) == 0 ? -.infinity : Double(number(-40...6))
      case "trim": Double(number(-12...12))
      case "mute": Double(number(0...1))
      case "pan": Double(number(-8...8)) / 8
      default: Double(number(-4...8)) / 4
      }
    }
    let timeBase: TimeBase = number(0...1) == 0 ? .musical : .absolute
    let perFrame: Int64 = timeBase == .musical ? 1 : 14_700
    let rest = value()
    let rests = number(0...4) == 0
    var position: Int64 = 0
    addLane(
      parameter, of: owner, in: timeBase,
      (0..<number(1...8)).map { _ in
        position += perFrame * Int64(number(2...(number(0...1) == 0 ? 80 : 2_000)))
        let shape = parameter == "mute" ? .hold : LaneShape.allCases.randomElement(using: &random) ?? .hold
        return (position, rests ? rest : value(), shape)
      })
    lanes[lanes.count - 1].isRead = number(0...7) > 0
  }
}
