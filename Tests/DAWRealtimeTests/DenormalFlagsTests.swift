import Testing

@testable import DAWRealtime

@inline(never) private func halved(_ value: Float) -> Float { value * 0.5 }

@Test func denormalsAreZeroBetweenFlushAndRestoreOnly() {
  let least = Float.leastNormalMagnitude
  #expect(halved(least) > 0)
  let flags = DenormalFlags.flush()
  let flushed = halved(least)
  flags.restore()
  #expect(flushed == 0)
  #expect(halved(least) > 0)
}
