import CSampleCodec

/// Eight bands in series. A band that is off, or a bell or shelf at 0 dB, is not computed.
struct Equalizer {
  static let sectionsPerBand = 4
  /// The most frames at a time.
  static let chunk = 256

  private let rate: Double
  private let path: daw_sample_path
  /// The bands at the first knot, and at the second one of those that move.
  private let starts: UnsafeMutablePointer<EqualizerBand>
  private let ends: UnsafeMutablePointer<EqualizerBand>
  private let isMoving: UnsafeMutablePointer<Bool>
  /// Four for each band.
  private let memories: UnsafeMutablePointer<FilterMemory>
  /// Sections that are computed, in order, as 4 × band + section.
  private let active: UnsafeMutablePointer<Int>
  private var activeCount = 0
  /// Whether `active` was listed for resting parameters.
  private var isAtRest = false
  /// The chunk of each side.
  private let left: UnsafeMutablePointer<Double>
  private let right: UnsafeMutablePointer<Double>
  /// For `daw_filter`: of four sections, and the states of each side.
  private let coefficients: UnsafeMutablePointer<Double>
  private let states: UnsafeMutablePointer<Double>

  private static var bandCount: Int { @_noLocks get { 8 } }
  private static var sectionCount: Int { @_noLocks get { 32 } }

  init(rate: Int, path: daw_sample_path) {
    self.rate = Double(rate)
    self.path = path
    starts = .filled(with: EqualizerBand(), count: Self.bandCount)
    ends = .filled(with: EqualizerBand(), count: Self.bandCount)
    isMoving = .filled(with: false, count: Self.bandCount)
    memories = .filled(with: FilterMemory(), count: Self.sectionCount)
    active = .filled(with: 0, count: Self.sectionCount)
    left = .filled(with: 0, count: Self.chunk)
    right = .filled(with: 0, count: Self.chunk)
    coefficients = .filled(with: 0, count: 24)
    states = .filled(with: 0, count: 16)
  }

  func free() {
    starts.deallocate()
    ends.deallocate()
    isMoving.deallocate()
    memories.deallocate()
    active.deallocate()
    left.deallocate()
    right.deallocate()
    coefficients.deallocate()
    states.deallocate()
  }

  @_noLocks func reset() { memories.update(repeating: FilterMemory(), count: Self.sectionCount) }

  @_noLocks mutating func process(_ piece: EffectPiece) {
    prepare(piece)
    guard activeCount > 0 else { return }
    var first = 0
    while first < piece.frameCount {
      let count = min(Self.chunk, piece.frameCount - first)
      daw_read_heard(path, piece.left + first, count, left)
      if let side = piece.right { daw_read_heard(path, side + first, count, right) }
      if isAtRest { rest(count, isStereo: piece.right != nil) } else { move(piece, count) }
      daw_write_values(path, left, count, piece.left + first)
      if let side = piece.right { daw_write_values(path, right, count, side + first) }
      first += count
    }
  }

  // MARK: Coefficients

  /// Makes the bands of both knots, and the list of their sections.
  @_noLocks private mutating func prepare(_ piece: EffectPiece) {
    let wasAtRest = isAtRest
    isAtRest = true
    var isChanged = false
    for band in 0..<Self.bandCount {
      let values = piece.start + band * EqualizerBand.valueCount
      if !starts[band].isMade(of: values) {
        isChanged = true
        let sectionCount = starts[band].sectionCount
        starts[band] = ends[band].isMade(of: values) ? ends[band] : EqualizerBand(values, rate: rate)
        if starts[band].sectionCount != sectionCount { forget(band) }
      }
      isMoving[band] = false
      guard let end = piece.end.map({ $0 + band * EqualizerBand.valueCount }), !starts[band].isMade(of: end)
      else { continue }
      if !ends[band].isMade(of: end) { ends[band] = EqualizerBand(end, rate: rate) }
      guard starts[band].hasShape(of: ends[band]) else { continue }
      isMoving[band] = true
      isAtRest = false
    }
    if isChanged || !isAtRest || !wasAtRest { list() }
  }

  /// Lists the sections that are computed, and empties the others.
  @_noLocks private mutating func list() {
    activeCount = 0
    for band in 0..<Self.bandCount {
      guard !starts[band].isNeutral || isMoving[band] else {
        forget(band)
        continue
      }
      for section in 0..<starts[band].sectionCount {
        active[activeCount] = 4 * band + section
        activeCount += 1
      }
    }
  }

  @_noLocks private func forget(_ band: Int) {
    (memories + 4 * band).update(repeating: FilterMemory(), count: Self.sectionsPerBand)
  }

  // MARK: Sound

  @_noLocks private func section(_ index: Int) -> FilterSection { starts[index >> 2].section(index & 3) }

  /// The chunk through sections at rest, four at a time.
  @_noLocks private func rest(_ count: Int, isStereo: Bool) {
    var item = 0
    while item < activeCount {
      filter(item..<min(item + 4, activeCount), count, isStereo: isStereo)
      item += 4
    }
  }

  /// - Parameter items: at most four, of `active`.
  @_noLocks private func filter(_ items: Range<Int>, _ count: Int, isStereo: Bool) {
    // What is not there of the four changes nothing.
    coefficients.update(repeating: 0, count: 24)
    (coefficients + 12).update(repeating: 1, count: 4)
    for place in 0..<items.count {
      let index = active[items.lowerBound + place]
      section(index).put(into: coefficients + place)
      memories[index].put(into: states + place)
    }
    daw_filter(path, coefficients, states, count, left, isStereo ? right : nil)
    if !isStereo { for i in 0..<8 { states[8 + i] = states[i] } }
    for place in 0..<items.count { memories[active[items.lowerBound + place]] = FilterMemory(states + place) }
  }

  /// The chunk through sections of which some move; at most 16 frames.
  @_noLocks private func move(_ piece: EffectPiece, _ count: Int) {
    for item in 0..<activeCount {
      let index = active[item]
      let (start, end) = (section(index), ends[index >> 2].section(index & 3))
      let isMoving = isMoving[index >> 2]
      var memory = memories[index]
      for i in 0..<count {
        let section = isMoving ? FilterSection(from: start, to: end, at: piece.fraction(i)) : start
        let frame = memory.step(Sides(left[i], piece.right == nil ? left[i] : right[i]), section)
        left[i] = frame.x
        right[i] = frame.y
      }
      memories[index] = memory
    }
  }
}
