import Testing

@testable import DAWRealtime

@Test func aMeterKeepsTheGreatestUntilItIsTaken() {
  let meter = PeakMeter()
  meter.raise(to: 0.25)
  meter.raise(to: 0.75)
  meter.raise(to: 0.5)
  let greatest = meter.take()
  let next = meter.take()
  #expect(greatest == 0.75)
  #expect(next == 0)
}
