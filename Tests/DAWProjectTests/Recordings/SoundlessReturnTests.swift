import DAWModel
import DAWProject
import DAWStore
import DAWTestSupport
import Foundation
import Testing

@Suite("What an undo brings back without its sound")
struct SoundlessReturnTests {
  private let song: RecordedProject

  init() throws { song = try RecordedProject() }

  private func undo(_ count: Int = 1, isTrial: Bool = false) throws -> [String] {
    let undone = try song.session.undo(count, origin: song.origin, isTrial: isTrial).value
    return try song.session.soundlessReturns(of: undone)
  }

  @Test("That a recording was forgotten is said by the undo of that, and by the one that brings its regions back")
  func forgotten() throws {
    let id = try song.record(7)
    try song.removeTakes(of: id)
    _ = try song.session.forgetRecording(id)
    let tried = try undo(2, isTrial: true)
    let (first, second) = (try undo(), try undo())
    #expect(first.count == 1 && first[0].hasPrefix("Recording 'Verse' was forgotten") && first[0].contains("for good"))
    #expect(second.count == 1 && second[0].hasPrefix("The sound of region 'Vox' is gone for good"), "\(second)")
    #expect(tried == first + second)
    let redone = try song.session.redo(2, origin: song.origin).value
    #expect(try song.session.soundlessReturns(of: redone, isRedo: true).isEmpty)
  }

  @Test("Of a recording without a title its folder is named")
  func untitled() throws {
    let id = try song.record(7, title: "")
    let folder = try song.path(id)
    try song.removeTakes(of: id)
    _ = try song.session.forgetRecording(id)
    #expect(try undo() == ["What was recorded in '\(folder)' is gone for good: it was forgotten."])
  }

  @Test("What is in the trash can be brought back, which is said; of what is there nothing is said")
  func trashed() throws {
    let id = try song.record(7)
    try song.removeTakes(of: id)
    #expect(try undo().isEmpty)
    try song.removeTakes(of: id)
    try song.session.removeRecording(id)
    let said = try undo()
    #expect(said.count == 1 && said[0].contains("'daw restore-recording id:\(id)'"), "\(said)")
  }
}
