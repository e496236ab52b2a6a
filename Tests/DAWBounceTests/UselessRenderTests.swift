import DAWEngine
import DAWMedia
import DAWTestSupport
import Foundation
import Glibc
import Testing

@testable import DAWBounce

@Suite("Kept renders that no bounce reads again")
struct UselessRenderTests {
  private let folder: TemporaryFolder
  private static let trackIDs: Set<Int64> = [7, 8]

  init() throws { folder = try TemporaryFolder() }

  private func find(renderer: String? = "a", stripRenderer: String = "s") -> [UselessRender] {
    UselessRender.all(
      in: Place(root: folder.path), renderer: renderer, stripRenderer: stripRenderer, trackIDs: Self.trackIDs)
  }

  /// Keeps a render of two blocks.
  /// - Returns: its name.
  private func keep(
    _ kind: RenderKind = .instrument, track: Int64 = 7, renderer: String = "a", content: UInt8 = 1
  ) throws -> String {
    let key = RenderKey([
      .events: [UInt8](repeating: content, count: RenderKey.digestSize),
      .renderer: RenderKey.digest(ofRenderer: renderer),
    ])
    let layout = try #require(
      RenderLayout(frameCount: 8_000, sideCount: 2, kind: kind, trackID: track, key: key))
    let name = key.name + ".render"
    let writer = try #require(
      RenderWriter(at: Place(root: folder.path).appending(name), planned: layout, longerThan: 0))
    let samples = (0..<2 * RenderLayout.blockFrames).map { Float($0) / 10_000 }
    #expect(writer.append(samples, frameCount: 4_096, isSilent: false) != nil)
    #expect(writer.append(samples, frameCount: 3_904, isSilent: false) != nil)
    writer.commit(endsInSilence: false)
    return name
  }

  @Test("Renders that a bounce reads are not among them", arguments: [RenderKind.instrument, .strip, .postFader])
  func useful(kind: RenderKind) throws {
    _ = try keep(kind, renderer: kind == .instrument ? "a" : "s")
    #expect(find() == [])
  }

  @Test("A changed byte of the samples, the table or the name, and a file that was cut off, are damage")
  func damaged() throws {
    let name = try keep()
    let whole = try folder.bytes(of: name)
    for place in [100, 380, 4_096, 4_096 + 40_000, whole.count - 1] {
      var bytes = whole
      bytes[place] ^= 1
      try folder.write(bytes, to: name)
      #expect(find() == [UselessRender(name: name, reason: .damaged)], "\(place)")
    }
    try folder.write(Array(whole.dropLast()), to: name)
    #expect(find().map(\.reason) == [.damaged])
    try folder.write([], to: name)
    #expect(find().map(\.reason) == [.damaged])
    try folder.write(whole, to: name)
    #expect(find() == [])
    try folder.write(whole, to: "0" + name.dropFirst())
    #expect(find().map(\.reason) == (name.hasPrefix("0") ? [] : [.damaged]))
  }

  @Test("Another renderer or format is outdated; where the renderer of instruments is not known, theirs stay")
  func outdated() throws {
    let name = try keep()
    #expect(find(renderer: "b") == [UselessRender(name: name, reason: .outdated)])
    #expect(find(renderer: nil, stripRenderer: "t") == [])
    let strip = try keep(.strip, renderer: "s", content: 2)
    #expect(find(stripRenderer: "t") == [UselessRender(name: strip, reason: .outdated)])
    var bytes = try folder.bytes(of: name)
    bytes[7] = UInt8(ascii: "2")
    try folder.write(bytes, to: name)
    #expect(find() == [UselessRender(name: name, reason: .outdated)])
  }

  @Test("A render of a track that is gone is an orphan; so is what a killed process has left, not what one writes")
  func orphaned() throws {
    let name = try keep(track: 9)
    #expect(find() == [UselessRender(name: name, reason: .orphaned)])
    try folder.write([1], to: "a.render.partial-1-1")
    let held = try folder.write([1], to: "b.render.partial-2-2")
    let descriptor = open(held, O_RDWR)
    defer { close(descriptor) }
    #expect(flock(descriptor, LOCK_EX) == 0)
    #expect(find().filter { $0.reason == .abandoned }.map(\.name) == ["a.render.partial-1-1"])
  }

  @Test("Other files, folders and links are left alone")
  func others() throws {
    try folder.write([1], to: "notes.txt")
    try FileManager.default.createDirectory(atPath: folder.path + "/x.render", withIntermediateDirectories: false)
    try FileManager.default.createSymbolicLink(atPath: folder.path + "/y.render", withDestinationPath: "/etc/passwd")
    #expect(find() == [])
  }
}
