/// Eight bands in series. A band that is off, or a bell or shelf at 0 dB, is not computed.
struct Equalizer {
  static let sectionsPerBand = 4
  static let chunk = 64

  private let rate: Double
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
  private let scratch: UnsafeMutablePointer<Sides>

  private static var bandCount: Int { @_noLocks get { 8 } }
  private static var sectionCount: Int { @_noLocks get { 32 } }

  init(rate: Int) {
    self.rate = Double(rate)
    starts = .filled(with: EqualizerBand(), count: Self.bandCount)
    ends = .filled(with: EqualizerBand(), count: Self.bandCount)
    isMoving = .filled(with: false, count: Self.bandCount)
    memories = .filled(with: FilterMemory(), count: Self.sectionCount)
    active = .filled(with: 0, count: Self.sectionCount)
    scratch = .filled(with: .zero, count: Self.chunk)
  }

  func free() {
    starts.deallocate()
    ends.deallocate()
    isMoving.deallocate()
    memories.deallocate()
    active.deallocate()
    scratch.deallocate()
  }

  @_noLocks func reset() { memories.update(repeating: FilterMemory(), count: Self.sectionCount) }

  @_noLocks mutating func process(_ piece: EffectPiece) {
    prepare(piece)
    guard activeCount > 0 else { return }
    var first = 0
    while first < piece.frameCount {
      let count = min(Self.chunk, piece.frameCount - first)
      for i in 0..<count { scratch[i] = piece.signal(first + i) }
      if isAtRest { rest(count) } else { move(piece, count) }
      for i in 0..<count { piece.write(scratch[i], first + i) }
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

  /// The chunk through sections at rest, four, two or one at a time: a loop over more of them takes no longer, since
  /// each waits for its own last frame.
  @_noLocks private func rest(_ count: Int) {
    var item = 0
    while item < activeCount {
      switch activeCount - item {
      case 4...:
        restFour(item, count)
        item += 4
      case 2...:
        restTwo(item, count)
        item += 2
      default:
        restOne(active[item], count)
        item += 1
      }
    }
  }

  @_noLocks private func section(_ index: Int) -> FilterSection { starts[index >> 2].section(index & 3) }

  @_noLocks private func restOne(_ index: Int, _ count: Int) {
    let section = section(index)
    var memory = memories[index]
    for i in 0..<count { scratch[i] = memory.step(scratch[i], section) }
    memories[index] = memory
  }

  @_noLocks private func restTwo(_ item: Int, _ count: Int) {
    let (first, second) = (active[item], active[item + 1])
    let (a, b) = (section(first), section(second))
    var (memoryA, memoryB) = (memories[first], memories[second])
    for i in 0..<count { scratch[i] = memoryB.step(memoryA.step(scratch[i], a), b) }
    memories[first] = memoryA
    memories[second] = memoryB
  }

  @_noLocks private func restFour(_ item: Int, _ count: Int) {
    let (first, second, third, fourth) = (active[item], active[item + 1], active[item + 2], active[item + 3])
    let (a, b, c, d) = (section(first), section(second), section(third), section(fourth))
    var (memoryA, memoryB) = (memories[first], memories[second])
    var (memoryC, memoryD) = (memories[third], memories[fourth])
    for i in 0..<count {
      let half = memoryB.step(memoryA.step(scratch[i], a), b)
      scratch[i] = memoryD.step(memoryC.step(half, c), d)
    }
    memories[first] = memoryA
    memories[second] = memoryB
    memories[third] = memoryC
    memories[fourth] = memoryD
  }

  /// The chunk through sections of which some move; at most 16 frames.
  @_noLocks private func move(_ piece: EffectPiece, _ count: Int) {
    for item in 0..<activeCount {
      let index = active[item]
      guard isMoving[index >> 2] else {
        restOne(index, count)
        continue
      }
      let (start, end) = (section(index), ends[index >> 2].section(index & 3))
      var memory = memories[index]
      for i in 0..<count {
        scratch[i] = memory.step(scratch[i], FilterSection(from: start, to: end, at: piece.fraction(i)))
      }
      memories[index] = memory
    }
  }
}
