import DAWEngine
import DAWTime

/// The bytes that a digest is made of: what is added in another order, or divided otherwise, gives other bytes. Numbers
/// are little-endian with all their bits, so −0 is not 0.
struct KeyBytes {
  private(set) var bytes: [UInt8] = []

  mutating func add(_ number: Int64) { withUnsafeBytes(of: number.littleEndian) { bytes += $0 } }

  mutating func add(_ number: Int) { add(Int64(number)) }

  mutating func add(_ frame: TimelineFrame) { add(frame.number) }

  mutating func add(_ number: Double) { withUnsafeBytes(of: number.bitPattern.littleEndian) { bytes += $0 } }

  mutating func add(_ number: Float) { withUnsafeBytes(of: number.bitPattern.littleEndian) { bytes += $0 } }

  mutating func add(_ flag: Bool) { bytes.append(flag ? 1 : 0) }

  mutating func add(_ text: String) {
    add(text.utf8.count)
    bytes += text.utf8
  }

  mutating func add(_ digest: [UInt8]) {
    add(digest.count)
    bytes += digest
  }

  /// Which of several kinds follows.
  mutating func add(kind: UInt8) { bytes.append(kind) }
}

// MARK: Values over time

extension KeyBytes {
  mutating func add(_ control: Control) {
    switch control {
    case .constant(let gain):
      add(kind: 0)
      add(gain)
    case .product(let factors):
      add(kind: 1)
      add(factors.count)
      for factor in factors { add(factor) }
    case .ofPlanBefore(let control):
      add(kind: 2)
      add(control)
    case .passage(let from, let to):
      add(kind: 3)
      add(from)
      add(to)
    }
  }

  mutating func add(_ control: Control?) {
    add(control != nil)
    if let control { add(control) }
  }

  private mutating func add(_ factor: Control.Factor) {
    switch factor {
    case .constant(let value):
      add(kind: 0)
      add(value)
    case .curve(let curve):
      add(kind: 1)
      add(curve)
    }
  }

  mutating func add(_ parameter: PlannedInsert.Parameter) {
    switch parameter {
    case .constant(let value):
      add(kind: 0)
      add(value)
    case .curve(let curve):
      add(kind: 1)
      add(curve)
    case .passage(let from, let to):
      add(kind: 2)
      add(from)
      add(to)
    }
  }

  private mutating func add(_ curve: Curve) {
    switch curve.scale {
    case .linear: add(kind: 0)
    case .logarithmic: add(kind: 1)
    case .left(let law):
      add(kind: 2)
      add(law)
    case .right(let law):
      add(kind: 3)
      add(law)
    }
    add(curve.smoothsJumps)
    add(curve.points.count)
    bytes.reserveCapacity(bytes.count + 25 * curve.points.count)
    for point in curve.points {
      add(point.frame)
      add(point.value)
      add(point.argument)
      add(point.shape)
    }
  }

  private mutating func add(_ law: Curve.PanLaw) {
    switch law {
    case .constantPowerMinus3dB: add(kind: 0)
    case .linearMinus6dB: add(kind: 1)
    case .compromiseMinus4_5dB: add(kind: 2)
    case .balance0dB: add(kind: 3)
    }
  }

  private mutating func add(_ shape: Curve.Shape) {
    switch shape {
    case .hold: add(kind: 0)
    case .linear: add(kind: 1)
    case .equalPower: add(kind: 2)
    case .mirroredEqualPower: add(kind: 3)
    case .exponential: add(kind: 4)
    case .mirroredExponential: add(kind: 5)
    case .sCurve: add(kind: 6)
    }
  }
}

// MARK: Strips

extension KeyBytes {
  mutating func add(_ width: ChannelWidth) { add(kind: UInt8(width.rawValue)) }

  mutating func add(_ shape: StripShape) {
    add(shape.trim)
    add(shape.invertsLeft)
    add(shape.invertsRight)
    add(shape.stereoWidth)
  }

  /// Not the effect's id, which only finds its memory again.
  mutating func add(_ insert: PlannedInsert) {
    add(insert.setup.kind.rawValue)
    add(insert.setup.sampleRate)
    add(insert.setup.lookAhead)
    add(insert.setup.size)
    add(insert.parameters.count)
    for parameter in insert.parameters { add(parameter) }
    add(insert.share)
  }

  /// Neither the region's id nor its place among the sources.
  /// - Parameter content: of its source.
  mutating func add(_ region: PlannedRegion, content: SourceContent) {
    add(content)
    add(region.frames.lowerBound)
    add(region.frames.upperBound)
    add(region.anchor)
    switch region.channels {
    case .one(let channel):
      add(kind: 0)
      add(channel)
    case .two(let left, let right):
      add(kind: 1)
      add(left)
      add(right)
    case .mean(let left, let right):
      add(kind: 2)
      add(left)
      add(right)
    }
    add(region.gain)
  }

  private mutating func add(_ content: SourceContent) {
    add(content.sha256)
    add(content.byteCount)
    add(content.inode)
    add(content.modified)
    add(content.changed)
    add(content.reading)
  }
}
