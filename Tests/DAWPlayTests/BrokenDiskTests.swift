import DAWEngine
import DAWMedia
import DAWTestSupport
import DAWTime
import Foundation
import Testing

@testable import DAWPlay

/// A disk that makes files, and takes nothing that is written to them. Where it cannot keep space for a file
/// beforehand, as exFAT, only the first write tells.
@Suite struct BrokenDiskTests {
  private let folder: TemporaryFolder
  private let stage: TrackStage<TrackWriter>
  private let ring = CaptureRing(channelCount: 1, frameCount: 4_096)

  /// Frames that come in at a time: a twentieth of a second.
  private static let step = 2_400

  init() throws {
    folder = try TemporaryFolder()
    let spill = try RecordingFolder(creatingIn: Place(root: folder.path), title: "", startTime: 0)
    stage = try TrackStage(channelCount: 1) { recording, header, newID in
      TrackWriter(
        ArmedTrack(trackID: 1, name: "Vox", sources: [nil], recordOffset: 0), firstChannel: 0, in: recording, header,
        spill: spill, alignment: .captured, newID: newID)
    }
  }

  private func take(_ number: Int) {
    stage.writer.take(
      .ring(ring, index: 0), hostFrame: HostFrame(number * Self.step), frameCount: Self.step, timeline: stage.timeline,
      latency: stage.latency
    ) { stage.said.append($0) }
  }

  private func flush() { stage.writer.flush { stage.said.append($0) } }

  /// Lets the file under way refuse what is written to it, as a descriptor for reading only does.
  /// - Parameter isFull: as a full disk does.
  /// - Returns: whether there is one.
  private func breakFile(isFull: Bool = false) -> Bool {
    guard let name = stage.writer.segmentWriter?.openFileAsWritten?.name,
      let file = stage.writer.takeFilesToSync().last
    else { return false }
    let path = name.hasPrefix("/") ? name : stage.recording.place.appending(name).path
    let refusing = isFull ? open("/dev/full", O_WRONLY) : open(path, O_RDONLY)
    defer { close(refusing) }
    return dup2(refusing, file.number) == file.number
  }

  /// Says whether the first folder has room.
  /// - Returns: whether it is said that the other one is used.
  private func setRoom(_ hasRoom: Bool) -> Bool {
    if case .spills? = stage.writer.setRoom(hasRoom) { true } else { false }
  }

  private func endedPass() throws -> RecordingDescription.Pass {
    stage.endPass()
    return try #require(stage.description(of: stage.writer.takeRecords()).passes.first)
  }

  @Test func itIsTriedEachSecondAndSaidOnceAndThatItWorksAgainWhenItHasTakenSomething() throws {
    take(0)
    flush()
    var tried: [Int] = []
    for number in 1...50 {
      take(number)
      if breakFile() { tried.append(number) }
      flush()
    }
    // Three files at once, one in the other folder, and then one each second, in turn here and there.
    #expect(tried == [1, 2, 3, 4, 25, 46])
    #expect(stage.said.map { $0 != nil } == [true])
    for number in 51...70 {
      take(number)
      flush()
    }
    stage.endPass()
    #expect(stage.said.map { $0 != nil } == [true, false])
    let pass = try #require(stage.description(of: stage.writer.takeRecords()).passes.first)
    #expect(pass.frames == Int64(71 * Self.step) && pass.unaccounted.isEmpty, "\(pass)")
    #expect(pass.gaps.allSatisfy { $0.cause == .ioError }, "\(pass.gaps)")
    #expect(pass.segments.map(\.isSpilled) == [false, false], "\(pass.segments)")
    #expect(pass.segments.map(\.startFrame) == [0, Int64(67 * Self.step)])
  }

  @Test(arguments: [false, true])
  func whereThereIsRoomAgainTheNextFileIsMadeInTheFirstFolder(fails: Bool) throws {
    take(0)
    flush()
    #expect(!setRoom(false))
    take(1)
    flush()
    // It is said once.
    #expect(setRoom(false) && !setRoom(false))
    #expect(!setRoom(true))
    var number = 1
    if fails {
      // The other one is full now.
      take(2)
      #expect(breakFile())
      flush()
      number = 2
    }
    // A second and a half: longer than a file.
    for next in number + 1...number + 30 {
      take(next)
      flush()
    }
    stage.endPass()
    let pass = try #require(stage.description(of: stage.writer.takeRecords()).passes.first)
    #expect(pass.segments.map(\.isSpilled) == [false, true, false] + (fails ? [false] : []), "\(pass.segments)")
    #expect(pass.unaccounted.isEmpty && pass.gaps.count == (fails ? 1 : 0), "\(pass.gaps)")
  }

  @Test func ofAFullDiskTheOtherFolderIsUsedAtOnce() throws {
    take(0)
    flush()
    take(1)
    #expect(breakFile(isFull: true))
    flush()
    for number in 2...4 {
      take(number)
      flush()
    }
    let pass = try endedPass()
    #expect(pass.segments.last?.isSpilled == true && pass.unaccounted.isEmpty, "\(pass.segments)")
    #expect(pass.gaps.map(\.cause) == [.diskFull] && pass.gaps.last?.end == Int64(2 * Self.step), "\(pass.gaps)")
    #expect(stage.said.map { $0 != nil } == [true, false])
  }

  @Test func whereTheFirstFolderHasNoRoomTheOtherOneIsTriedAgainAndAgain() throws {
    take(0)
    flush()
    #expect(!setRoom(false))
    take(1)
    flush()
    take(2)
    #expect(breakFile(isFull: true))
    flush()
    for number in 3...30 {
      take(number)
      flush()
    }
    let pass = try endedPass()
    #expect(pass.segments.map(\.isSpilled).prefix(3) == [false, true, true], "\(pass.segments)")
    #expect(pass.segments.allSatisfy { $0.startFrame == 0 || $0.isSpilled } && pass.unaccounted.isEmpty)
    #expect(pass.gaps.map(\.cause) == [.diskFull], "\(pass.gaps)")
  }

  @Test func eachTimeThatTheFirstFolderRunsOutOfRoomIsSaid() throws {
    var said: [Int] = []
    for number in 0..<90 {
      // Longer than a file, so that the next one is made in the first folder.
      if setRoom(!(10..<40).contains(number) && number < 70) { said.append(number) }
      take(number)
      flush()
    }
    #expect(said.count == 2 && (10..<40).contains(said[0]) && said.last.map { $0 >= 70 } == true, "\(said)")
    let pass = try endedPass()
    let spilled = pass.segments.map(\.isSpilled)
    #expect(spilled.first == false && spilled.last == true && pass.gaps.isEmpty, "\(pass.segments)")
    #expect(zip(spilled, spilled.dropFirst()).count { $0 != $1 } == 3, "\(spilled)")
  }

  @Test func aPassThatBeginsWithoutRoomGoesToTheFirstFolderWhenThereIsSome() throws {
    #expect(!setRoom(false))
    take(0)
    flush()
    // The file under way stays where it is, which is said.
    #expect(setRoom(true))
    for number in 1...30 {
      take(number)
      flush()
    }
    let pass = try endedPass()
    #expect(pass.segments.map(\.isSpilled) == [true, false] && pass.unaccounted.isEmpty, "\(pass.segments)")
  }

  @Test func whatAPassEndsWithTellsThatItWorksAgain() throws {
    for number in 0..<2 {
      take(number)
      if number == 1 { #expect(breakFile()) }
      flush()
    }
    // Nothing is flushed before the end.
    take(2)
    #expect(stage.said.map { $0 != nil } == [true])
    stage.endPass()
    #expect(stage.said.map { $0 != nil } == [true, false])
  }
}
