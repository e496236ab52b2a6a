import DAWErrors
import DAWMedia
import DAWModel
import DAWTestSupport
import Foundation
import Testing

@testable import DAWProject

@Suite("Folders of recordings that are there, and cannot be read")
struct UnreadableRecordingTests {
  private let song: RecordedProject

  init() throws { song = try RecordedProject() }

  @Test(
    "'clean' keeps an unfinished recording whose folder cannot be opened for once",
    arguments: [EIO, EMFILE, ENOMEM, EACCES] as [Int32])
  func cleaning(code: Int32) throws {
    try song.record(7, isRecovered: false)
    let before = try song.files()
    #expect(!before.isEmpty)
    var cleaning = Cleaning(isTrial: false)
    cleaning.openRecording = { (_: Place) throws(SystemCallFailure) -> RecordingFolder in
      throw SystemCallFailure(call: "open", code: code)
    }
    try cleaning.removeUnused(in: song.folder.place("Audio"), used: [])
    #expect(cleaning.result.removed.isEmpty)
    #expect(try song.files() == before)
  }
}
