import DAWErrors
import DAWProject
import DAWTestSupport
import DAWTime
import Foundation
import Testing

@testable import DAWPlay

@Suite("What is recorded of what is played")
struct RecordedRangeTests {
  private let timeline: Timeline

  init() throws {
    let folder = try TemporaryFolder()
    let project = ProjectFolder(path: folder.path("Song.daw"))
    let session = try Session.create(
      project, settings: .init(name: .init("Song")), origin: .init(author: "test", commandLine: "test"))
    defer { session.close() }
    timeline = try session.read { try Timeline($0, playhead: Timeline.noPlayhead) }
  }

  private func place(_ seconds: Int) -> PlayRequest.Place { { _ in .zero + FlickCount.seconds(Int64(seconds)) } }

  private func range(
    from: Int? = nil, to: Int? = nil, countsIn: Bool = false, punch: (Int, Int)? = nil
  ) throws -> [Double?] {
    var request = RecordRequest()
    request.punch = punch.map { (place($0.0), place($0.1)) }
    let range = try request.range(
      from: from.map(place), to: to.map(place), countsIn: countsIn, in: timeline
    ).punch
    return [range?.lowerBound.seconds, range.flatMap { $0.upperBound.seconds < 1e9 ? $0.upperBound.seconds : nil }]
  }

  @Test("Neither a count-in nor what rings on behind --to is recorded; a punch range says all")
  func ranges() throws {
    #expect(try range() == [nil, nil])
    #expect(try range(from: 2) == [nil, nil])
    #expect(try range(from: 2, to: 4) == [0, 4])
    #expect(try range(from: 2, countsIn: true) == [2, nil])
    #expect(try range(from: 2, to: 4, countsIn: true) == [2, 4])
    #expect(try range(from: 2, to: 9, countsIn: true, punch: (3, 5)) == [3, 5])
  }

  @Test(
    "A loop that is recorded lasts 100 ms at least; one that is only played may be shorter", arguments: [1, 99, 100])
  func loops(milliseconds: Int64) throws {
    var request = PlayRequest()
    request.loop = (place(1), { _ in FlickPosition.zero + .seconds(1) + .milliseconds(milliseconds) })
    try request.validate(in: timeline)
    request.record = RecordRequest()
    guard milliseconds < 100 else { return try request.validate(in: timeline) }
    let failure = #expect(throws: Failure.self) { try request.validate(in: timeline) }
    #expect(failure?.code == "invalidRange" && failure?.kind == .invalid)
    #expect(failure?.message.contains("lasts \(milliseconds) ms") == true, "\(String(describing: failure))")
  }
}
