import DAWModel

extension RandomSong {
  enum LaneUnit { case level, pan, mute, trim, width, threshold }

  /// - Parameter isAudibleFirst: whether a level or a mute may not silence its beginning.
  mutating func lane(_ parameter: String, _ unit: LaneUnit, isAudibleFirst: Bool = false) -> IndependentSong.Lane {
    let isMusical = isOne(in: 2)
    var lane = IndependentSong.Lane(parameter: parameter, timeBase: isMusical ? "musical" : "absolute")
    lane.isRead = !isOne(in: 8)
    var first = value(in: unit)
    if isAudibleFirst { first = unit == .mute ? 0 : max(first, -30) }
    // Some are at rest.
    let isResting = isOne(in: 6)
    // In ticks or quarters of a frame. Some points lie within one frame.
    let unitsPerFrame = isMusical ? 1 : 4
    var place = isOne(in: 3) ? 0 : number(0...span / 2)
    for point in 0..<number(1...8) {
      lane.points.append(
        .init(
          startTicks: isMusical ? Int64(place) : nil, startFlicks: isMusical ? nil : Int64(place) * 3_675 + 147,
          value: .init(value: point == 0 || isResting ? first : value(in: unit)),
          shape: unit == .mute ? .hold : pick(LaneShape.allCases)))
      place += pick([1, unitsPerFrame * number(2...80), unitsPerFrame * number(2...max(3, span / 4))])
    }
    return lane
  }

  private mutating func value(in unit: LaneUnit) -> Double {
    switch unit {
    case .level: isOne(in: 6) ? -.infinity : Double(number(-30...6))
    case .pan: Double(number(-8...8)) / 8
    case .mute: isOne(in: 3) ? 1 : 0
    case .trim: Double(number(-12...6))
    case .width: quarters(-4...8)
    case .threshold: Double(number(-60...0))
    }
  }
}
