import Testing

@testable import DAWPlay

@Suite struct ArmedTrackTests {
  private let keys = ArmedTrack(
    trackID: 1, name: "Keys", sources: ["Keystation:0"], recordOffset: 0, kind: .sequencerMIDI, isMonitored: true)

  @Test func anotherNameMonitorOrOffsetIsNoReasonForOtherPorts() {
    var others = [ArmedTrack](repeating: keys, count: 3)
    others[0].recordOffset = -12
    others[1].name = "Piano"
    others[2].isMonitored = false
    #expect(others.allSatisfy { $0 != keys && $0.hasSamePorts(as: keys) })
  }

  @Test func anotherTrackSourceOrKindIs() {
    var others = [ArmedTrack](repeating: keys, count: 3)
    others[0].trackID = 2
    others[1].sources = [nil]
    others[2].kind = .jackMIDI
    #expect(others.allSatisfy { !$0.hasSamePorts(as: keys) })
  }
}
