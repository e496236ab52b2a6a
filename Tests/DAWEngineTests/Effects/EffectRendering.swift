import Testing

@testable import DAWEngine

/// Runs one effect over a whole signal.
struct EffectRendering {
  var left: [Float]
  /// `nil`: mono.
  var right: [Float]?
  var keyLeft: [Float]? = nil
  var keyRight: [Float]? = nil
  /// The parameters at knot k, frame 16 k. `nil`: they rest at `values`.
  var knots: ((Int) -> [Double])? = nil

  init(_ left: [Float], _ right: [Float]? = nil) {
    self.left = left
    self.right = right
  }

  /// An impulse at frame 0, on both sides.
  static func impulse(_ frames: Int, isStereo: Bool = true) -> EffectRendering {
    var side = [Float](repeating: 0, count: frames)
    side[0] = 1
    return EffectRendering(side, isStereo ? side : nil)
  }

  /// - Parameter blocks: the lengths of the pieces, over and over; where parameters move, pieces end at knots as well.
  func through(_ state: EffectState, _ values: [Double], blocks: [Int] = [256]) -> (
    left: [Float], right: [Float]
  ) {
    var (left, right) = (left, right)
    var first = 0
    var turn = 0
    while first < left.count {
      var count = min(blocks[turn % blocks.count], left.count - first)
      turn += 1
      let place = first % 16
      if knots != nil { count = min(count, 16 - place) }
      let start = knots.map { $0(first / 16) } ?? values
      let end = knots.map { $0(first / 16 + 1) }
      left.withUnsafeMutableBufferPointer { left in
        withPointer(&right, first) { right in
          withPointer(keyLeft, first) { keyLeft in
            withPointer(keyRight, first) { keyRight in
              start.withUnsafeBufferPointer { start in
                guard let left = left.baseAddress, let start = start.baseAddress else { return }
                withPointer(end, 0) { end in
                  state.process(
                    left: left + first, right: right, keyLeft: keyLeft, keyRight: keyRight,
                    frameCount: count,
                    place: place, start: start, end: end)
                }
              }
            }
          }
        }
      }
      first += count
    }
    return (left, right ?? left)
  }

  func through(_ setup: EffectSetup, _ values: [Double], blocks: [Int] = [256]) -> (
    left: [Float], right: [Float]
  ) {
    through(EffectState(setup), values, blocks: blocks)
  }

  private func withPointer(
    _ values: inout [Float]?, _ first: Int, _ body: (UnsafeMutablePointer<Float>?) -> Void
  ) {
    guard var side = values else { return body(nil) }
    values = nil
    side.withUnsafeMutableBufferPointer { body($0.baseAddress.map { $0 + first }) }
    values = side
  }

  private func withPointer<Value>(
    _ values: [Value]?, _ first: Int, _ body: (UnsafePointer<Value>?) -> Void
  ) {
    guard let values else { return body(nil) }
    values.withUnsafeBufferPointer { body($0.baseAddress.map { $0 + first }) }
  }
}

extension EffectKind {
  /// The defaults with some values set by name.
  func values(_ changes: [String: Double]) -> [Double] {
    var values = defaults
    for (name, value) in changes {
      guard let index = parameterNames.firstIndex(of: name) else {
        Issue.record("no parameter \(name)")
        continue
      }
      values[index] = value
    }
    return values
  }
}
