import DAWModel
import DAWTime
import Foundation
import Testing

@Suite("Fades of edges that a cut exposes")
struct ExposedFadeTests {
  private func gain(_ shape: Fade.Shape, _ x: Double) -> Double {
    let x = min(1, max(0, x))
    switch shape {
    case .linear: return x
    case .equalPower: return sin(.pi * x / 2)
    case .exponential: return (exp(4 * x) - 1) / (exp(4) - 1)
    case .sCurve: return x * x * (3 - 2 * x)
    }
  }

  /// The greatest difference of a curve from the rest of a fade as it was heard.
  private func difference(_ shape: Fade.Shape, cut: Double, _ curve: (Double) -> Double) -> Double {
    (0...1_000).map { abs(gain(shape, cut + (1 - cut) * Double($0) / 1_000) - curve(Double($0) / 1_000)) }.max() ?? 0
  }

  @Test(
    "An edge of 3 ms replaces the rest of a fade where that is nearer to what was heard",
    arguments: Fade.Shape.allCases)
  func nearest(shape: Fade.Shape) {
    let length = FlickCount.seconds(100)
    for percent in 1..<100 {
      let cut = Double(percent) / 100
      // Beside 100 s its 3 ms are nothing.
      let edge = difference(shape, cut: cut) { _ in 1 }
      let rest = difference(shape, cut: cut) { gain(shape, $0) }
      guard abs(edge - rest) > 0.005 else { continue }
      let exposed = Fade(length: length, cut: .seconds(Int64(percent)), shape: shape).exposed(in: .seconds(1_000))
      let expected =
        edge < rest ? Fade(length: Fade.edgeLength) : Fade(length: .seconds(Int64(100 - percent)), shape: shape)
      #expect(exposed == expected, "\(percent) %")
    }
  }

  @Test("A rest of less than 3 ms becomes 3 ms, or half of a shorter region, and a fade that is not cut stays")
  func short() {
    let rest = Fade(length: .milliseconds(50), cut: .milliseconds(49), shape: .sCurve)
    #expect(rest.exposed(in: .seconds(1)).visibleLength == .milliseconds(3))
    #expect(rest.exposed(in: .milliseconds(4)).visibleLength == .milliseconds(2))
    // Also of a fade that was hardly longer, of which not much is cut.
    let short = Fade(length: .milliseconds(4), cut: .milliseconds(2), shape: .exponential)
    #expect(short.exposed(in: .seconds(1)) == Fade(length: Fade.edgeLength, shape: .exponential))
    let whole = Fade(length: .milliseconds(50), shape: .sCurve)
    #expect(whole.exposed(in: .seconds(1)) == whole)
  }
}
