extension RandomSong {
  typealias Strip = IndependentSong.Strip

  /// - Parameters:
  ///   - buses: what its output and its sends may feed.
  ///   - keys: what its effects may listen to.
  mutating func track(_ name: String, feeding buses: [String], hearing keys: [String]) -> Strip {
    var strip = strip(name, "audio")
    let channels = number(1...2)
    strip.channelCount = channels
    strip.volume = decibels(-24...12)
    strip.overlap = pick(["sum", "crossfade"])
    strip.regions = (0..<number(1...6)).flatMap { _ in regions(onTrackOf: channels) }
    addRouting(to: &strip, buses)
    addMovement(to: &strip, hearing: keys)
    return strip
  }

  mutating func bus(_ name: String, feeding buses: [String], hearing keys: [String]) -> Strip {
    var strip = strip(name, "bus")
    strip.volume = decibels(-18...0)
    addRouting(to: &strip, buses)
    addMovement(to: &strip, hearing: keys)
    return strip
  }

  mutating func master(isAutomated: Bool, hearing keys: [String]) -> Strip {
    var strip = strip("Master", "master")
    strip.volume = decibels(-12...6)
    if isAutomated { addMovement(to: &strip, hearing: keys) }
    return strip
  }

  private mutating func strip(_ name: String, _ type: String) -> Strip {
    var strip = Strip(name: name, trackType: type, pan: Double(number(-10...10)) / 10)
    if isOne(in: 3) { strip.trim = decibels(-12...6) }
    if isOne(in: 3) { strip.invertedSides = pick(["left", "right", "both"]) }
    if isOne(in: 3) { strip.stereoWidth = quarters(-4...8) }
    return strip
  }

  private mutating func addRouting(to strip: inout Strip, _ buses: [String]) {
    strip.isMuted = isOne(in: 8)
    strip.isSolo = isOne(in: 16)
    strip.isSoloSafe = isOne(in: 8)
    if isOne(in: 10) {
      strip.isOutputConnected = false
    } else if !buses.isEmpty, !isOne(in: 3) {
      strip.outputBus = pick(buses)
    }
    for bus in buses where isOne(in: 3) {
      var send = IndependentSong.Tap(bus: bus, level: decibels(-24...0))
      send.isPreFader = isOne(in: 3)
      if isOne(in: 2) { send.pan = quarters(-4...4) }
      send.isMuted = isOne(in: 6)
      var lanes: [IndependentSong.Lane] = []
      if isOne(in: 3) { lanes.append(lane("level", .level)) }
      if isOne(in: 3) { lanes.append(lane("pan", .pan)) }
      if isOne(in: 5) { lanes.append(lane("mute", .mute)) }
      send.lanes = lanes
      strip.sends.append(send)
    }
  }

  mutating func group(_ name: String, of strips: [String]) -> IndependentSong.Group {
    var group = IndependentSong.Group(name: name, volume: decibels(-9...3))
    group.isMuted = isOne(in: 10)
    group.isSolo = isOne(in: 16)
    group.members = strips.filter { _ in isOne(in: 3) }.map { .init(track: $0) }
    var lanes: [IndependentSong.Lane] = []
    if isOne(in: 2) { lanes.append(lane("volume", .level)) }
    if isOne(in: 3) { lanes.append(lane("mute", .mute)) }
    group.lanes = lanes
    return group
  }

  /// Effects and lanes.
  private mutating func addMovement(to strip: inout Strip, hearing keys: [String]) {
    let isMaster = strip.trackType == "master"
    for _ in 0..<pick([0, 0, 1, 2, 3]) { strip.effects.append(effect(hearing: keys, passesInput: isMaster)) }
    var lanes: [IndependentSong.Lane] = []
    if isOne(in: 3) { lanes.append(lane("volume", .level, isAudibleFirst: isMaster)) }
    if isOne(in: 3) { lanes.append(lane("pan", .pan)) }
    if isOne(in: 4) { lanes.append(lane("mute", .mute, isAudibleFirst: isMaster)) }
    if isOne(in: 4) { lanes.append(lane("trim", .trim)) }
    if isOne(in: 4) { lanes.append(lane("stereoWidth", .width)) }
    strip.lanes = lanes
  }
}
