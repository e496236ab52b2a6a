import Testing

@testable import DAWPlay

@Suite struct ArmedTrackTests {
  private let keys = ArmedTrack(
    trackID: 1, name: "Keys", sources: ["Keystation:0"], recordOffset: 0, kind: .sequencerMIDI, isMonitored: true)

  @Test func anotherOffsetIsNoReasonForOtherPorts() {
    var other = keys
    other.recordOffset = -12
    #expect(other != keys && other.hasSamePorts(as: keys))
  }

  @Test func anotherNameSourceOrMonitorIs() {
    var others = [ArmedTrack](repeating: keys, count: 4)
    others[0].name = "Piano"
    others[1].sources = [nil]
    others[2].isMonitored = false
    others[3].kind = .jackMIDI
    #expect(others.allSatisfy { !$0.hasSamePorts(as: keys) })
  }
}
