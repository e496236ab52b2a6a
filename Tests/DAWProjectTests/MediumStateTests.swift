import DAWMedia
import DAWModel
import DAWTestSupport
import Foundation
import Testing

@testable import DAWProject

@Suite("The state of a medium in the project's folder")
struct MediumStateTests {
  private let scratch: TemporaryFolder
  private let folder: ProjectFolder
  private let path: String
  /// Of another time than the file.
  private let location: MediaLocation

  init() throws {
    scratch = try TemporaryFolder()
    folder = ProjectFolder(path: scratch.path("Song.daw"))
    path = folder.audio + "/a.wav"
    try FileManager.default.createDirectory(atPath: folder.audio, withIntermediateDirectories: true)
    try Data("The sound".utf8).write(to: URL(fileURLWithPath: path))
    let digest = try sha256(ofFile: path)
    location = MediaLocation(
      path: "Audio/a.wav", sha256: digest.sha256, byteCount: digest.byteCount,
      modificationTime: digest.modificationTime - 1)
  }

  /// The names of the hashes that the cache keeps.
  private var kept: [String] {
    ((try? FileManager.default.contentsOfDirectory(atPath: folder.cache)) ?? []).filter { $0.hasSuffix(".hash") }
  }

  /// - Parameters:
  ///   - seconds: since 1970; a time that the file has not had.
  ///   - file: `nil`: the medium.
  private func setTime(to seconds: Int, of file: String? = nil) throws {
    let time = timespec(tv_sec: seconds, tv_nsec: 5)
    try #require(utimensat(AT_FDCWD, file ?? path, [time, time], 0) == 0)
  }

  @Test("A file of the recorded size and time is not read")
  func recordedTime() {
    var trusted = location
    trusted.modificationTime += 1
    trusted.sha256 = String(repeating: "0", count: 64)
    #expect(folder.state(of: trusted) == .asRecorded)
    #expect(folder.state(of: trusted, isThorough: true) == .changed)
    #expect(kept.isEmpty)
  }

  @Test("A file whose reading is interrupted is not as recorded, and no hash of it is kept")
  func interrupted() {
    for isThorough in [true, false] {
      let state = folder.state(of: location, isThorough: isThorough) { _, _ in false }
      #expect(![.asRecorded, .changed, .missing].contains(state), "\(state)")
    }
    #expect(kept.isEmpty)
    #expect(folder.state(of: location) == .asRecorded)
  }

  @Test("A file of another time is read, and while it stays as it is not read again")
  func otherTime() throws {
    #expect(folder.state(of: location) == .asRecorded)
    let name = try #require(kept.first)
    #expect(kept.count == 1 && CacheFolder.isCached(name))
    let url = URL(fileURLWithPath: folder.cache + "/" + name)
    let text = try String(contentsOf: url, encoding: .utf8)
    let forged = text.replacingOccurrences(of: location.sha256, with: String(repeating: "0", count: 64))
    try Data(forged.utf8).write(to: url)
    #expect(folder.state(of: location) == .changed, "what is kept is believed")
    #expect(folder.state(of: location, isThorough: true) == .asRecorded)
    try setTime(to: 1_000_000_000)
    #expect(folder.state(of: location) == .asRecorded)
    #expect(kept == [name])
    #expect(try String(contentsOf: url, encoding: .utf8).contains(location.sha256), "it is kept anew")
    try Data(String(contentsOf: url, encoding: .utf8).utf8.dropLast()).write(to: url)
    #expect(folder.state(of: location) == .asRecorded, "what was not kept whole is not believed")
  }

  @Test("A link in place of a kept hash is not believed, and what it leads to stays as it is")
  func linkedHash() throws {
    #expect(folder.state(of: location) == .asRecorded)
    let (file, outside) = (folder.cache + "/" + (try #require(kept.first)), scratch.path("outside.hash"))
    let text = try String(contentsOf: URL(fileURLWithPath: file), encoding: .utf8)
    let forged = text.replacingOccurrences(of: location.sha256, with: String(repeating: "0", count: 64))
    try #require(forged != text)
    try Data(forged.utf8).write(to: URL(fileURLWithPath: outside))
    try FileManager.default.removeItem(atPath: file)
    try FileManager.default.createSymbolicLink(atPath: file, withDestinationPath: outside)
    #expect(folder.state(of: location) == .asRecorded)
    #expect(try String(contentsOf: URL(fileURLWithPath: outside), encoding: .utf8) == forged)
    #expect(try String(contentsOf: URL(fileURLWithPath: file), encoding: .utf8) == text, "it is kept anew")
  }

  @Test("Of a file whose place another takes while it is hashed no hash is kept")
  func replacedMeanwhile() throws {
    let new = scratch.path("new.wav")
    try Data("The noise".utf8).write(to: URL(fileURLWithPath: new))
    let hash = try folder.keptHash(ofFile: path) { _, _ in rename(new, path) == 0 }
    #expect(hash == location.sha256 && kept.isEmpty)
    #expect(folder.state(of: location) == .changed)
  }

  @Test("A hash that was needed is in use, so that it is not what leaves the cache first")
  func used() throws {
    #expect(folder.state(of: location) == .asRecorded)
    let file = folder.cache + "/" + (try #require(kept.first))
    try setTime(to: 1_000, of: file)
    #expect(folder.state(of: location) == .asRecorded)
    #expect(try #require(folder.modificationTime(of: file)) > 2_000_000_000_000)
  }

  @Test("Bytes that were changed and given the time back that they had are found")
  func timeGivenBack() throws {
    try setTime(to: 1_000_000_000)
    #expect(folder.state(of: location) == .asRecorded)
    // Later than the last change by more than a tick of the clock.
    usleep(50_000)
    try Data("The noise".utf8).write(to: URL(fileURLWithPath: path))
    try setTime(to: 1_000_000_000)
    #expect(folder.state(of: location) == .changed)
  }

  @Test("Other bytes of the same size are found, but by what trusts the project's own files")
  func otherBytes() throws {
    #expect(folder.state(of: location) == .asRecorded)
    try Data("The noise".utf8).write(to: URL(fileURLWithPath: path))
    try setTime(to: 1_000_000_000)
    for _ in 0..<2 { #expect(folder.state(of: location) == .changed) }
    #expect(folder.state(of: location, trustsCopies: true) == .asRecorded)
    try Data("Noise".utf8).write(to: URL(fileURLWithPath: path))
    #expect(folder.state(of: location, trustsCopies: true) == .changed)
  }
}
