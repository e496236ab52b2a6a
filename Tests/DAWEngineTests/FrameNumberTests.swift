import DAWTestSupport
import DAWTime
import Testing

@testable import DAWEngine

@Suite struct FrameNumberTests {
  @Test func playbackWrapsAsOftenAsTheLoopGoesByAndNotFromBehindIt() {
    for loop in [nil, 10..<14, 10..<11, 0..<30] as [Range<TimelineFrame>?] {
      for start in TimelineFrame(-5)..<40 {
        var frame = start
        for count in 0..<60 {
          #expect(start.played(count, loop: loop) == frame, "\(count) frames from \(start), loop \(loop as Any)")
          frame += 1
          if let loop, frame == loop.upperBound { frame = loop.lowerBound }
        }
      }
    }
  }

  @Test func aRegionsFilePlaysFromItsAnchor() {
    let region = PlannedRegion(regionID: 1, source: 0, frames: 100..<200, anchor: -30, channels: .one(0))
    #expect(region.fileFrame(at: 100) == 130)
    for frame in region.frames { #expect(TimelineFrame(of: region.fileFrame(at: frame), anchor: -30) == frame) }
  }

  @Test func aFrameIsRoundedToItsGrid() {
    for number in 0..<300 {
      let frame = TimelineFrame(number)
      let (down, up) = (frame.roundedDown(to: 64), frame.roundedUp(to: 64))
      #expect(down <= frame && frame - down < 64 && down.number.isMultiple(of: 64))
      #expect(up >= frame && up - frame < 64 && up.number.isMultiple(of: 64))
    }
    // Knots lie before negative frames as well.
    #expect([-17, -16, -1, 0, 15, 16].map { TimelineFrame($0).knot } == [-32, -16, -16, 0, 0, 16])
  }

  @Test func thePlayheadOfARecordIsFoundFromWhatHasBeenPlayed() {
    var record = TransportRecord()
    (record.nextFrame, record.rolledFrame, record.loopFirst, record.loopEnd) = (90, 1_000, 50, 100)
    #expect([990, 1_000, 1_009, 1_010, 1_061].map { record.timelineFrame(of: $0) } == [80, 90, 99, 50, 51])
  }

  @Test func itReadsAsItsNumber() {
    #expect("\(TimelineFrame(-7)) \(HostFrame(9)..<11)" == "-7 9..<11")
    #expect(TimelineFrame(FramePosition(frames: 12)).position == FramePosition(frames: 12))
  }
}
