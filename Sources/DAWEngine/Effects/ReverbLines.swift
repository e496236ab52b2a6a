typealias SixteenLines = SIMD16<Double>
typealias FourLines = SIMD4<Double>

/// The delay lines of a reverb: 16, of lengths that have no divisor in common.
struct ReverbLines {
  static var count: Int { @_noLocks get { 16 } }
  /// The most frames taken at a time; no line is shorter.
  static var chunk: Int { @_noLocks get { 16 } }
  /// In ms at size 1; those between are spaced by equal ratios.
  private static let shortest = 23.0
  private static let longest = 97.0

  /// Frames.
  let lengths: UnsafeMutablePointer<Int>
  /// A chunk of frames: what comes out of the lines, then what goes into them.
  let frames: UnsafeMutablePointer<SixteenLines>
  private let memory: UnsafeMutablePointer<Double>
  /// Where each line's samples begin in `memory`, and the one that is read and written next.
  private let beginnings: UnsafeMutablePointer<Int>
  private let places: UnsafeMutablePointer<Int>
  private let greatestLength: Int
  /// Frames written since they were emptied, at most `greatestLength`.
  private var age = 0

  /// - Parameters:
  ///   - size: 0.2 … 2.
  ///   - rate: Hz.
  init(size: Double, rate: Double) {
    lengths = .filled(with: 0, count: Self.count)
    frames = .filled(with: .zero, count: Self.chunk)
    beginnings = .filled(with: 0, count: Self.count)
    places = .filled(with: 0, count: Self.count)
    let ratio = log2(Self.longest / Self.shortest) / Double(Self.count - 1)
    let size = limited(size, 0.2, 2)
    var (length, total) = (Self.chunk, 0)
    for line in 0..<Self.count {
      let milliseconds = Self.shortest * exp2(ratio * Double(line)) * size
      length = Self.prime(from: max(Int(milliseconds * rate / 1_000), length + 1))
      lengths[line] = length
      beginnings[line] = total
      total += length
    }
    greatestLength = length
    memory = .filled(with: 0, count: total)
  }

  /// The least prime number that is not below `number`.
  private static func prime(from number: Int) -> Int {
    var candidate = max(2, number)
    while !isPrime(candidate) { candidate += 1 }
    return candidate
  }

  private static func isPrime(_ number: Int) -> Bool {
    var divisor = 2
    while divisor * divisor <= number {
      if number % divisor == 0 { return false }
      divisor += 1
    }
    return true
  }

  func free() {
    lengths.deallocate()
    frames.deallocate()
    memory.deallocate()
    beginnings.deallocate()
    places.deallocate()
  }

  @_noLocks mutating func reset() { age = 0 }

  /// Fills `frames` with what comes out of the lines.
  /// - Parameter count: at most `chunk`.
  @_noLocks func read(_ count: Int) {
    let samples = UnsafeMutableRawPointer(frames).assumingMemoryBound(to: Double.self)
    for line in 0..<Self.count {
      let first = memory + beginnings[line]
      let length = lengths[line]
      var place = places[line]
      if age >= length, place + count <= length {
        for frame in 0..<count { samples[Self.count &* frame &+ line] = first[place &+ frame] }
        continue
      }
      for frame in 0..<count {
        samples[Self.count * frame + line] = age + frame < length ? 0 : first[place]
        place = place + 1 == length ? 0 : place + 1
      }
    }
  }

  /// Puts `frames` into the lines, in place of what was read.
  @_noLocks mutating func write(_ count: Int) {
    let samples = UnsafeMutableRawPointer(frames).assumingMemoryBound(to: Double.self)
    for line in 0..<Self.count {
      let first = memory + beginnings[line]
      let length = lengths[line]
      var place = places[line]
      if place + count < length {
        for frame in 0..<count { first[place &+ frame] = samples[Self.count &* frame &+ line] }
        places[line] = place + count
        continue
      }
      for frame in 0..<count {
        first[place] = samples[Self.count * frame + line]
        place = place + 1 == length ? 0 : place + 1
      }
      places[line] = place
    }
    age = min(age + count, greatestLength)
  }
}

/// The 16 lines mixed by a Hadamard matrix, whose rows are orthogonal: the sum of their squares stays. Four times, sums
/// and differences of neighbours; the order in which they come out is as good as any.
@_noLocks @inline(__always) func mixed(_ lines: SixteenLines) -> SixteenLines {
  var lines = lines
  for _ in 0..<4 {
    let (even, odd) = (lines.evenHalf, lines.oddHalf)
    lines = SixteenLines(lowHalf: even + odd, highHalf: even - odd)
  }
  return lines * 0.25
}
