import DAWModel
import DAWTestSupport
import DAWTime
import Foundation
import GRDB
import Testing

@testable import DAWStore

@Suite("The index of words")
struct SearchIndexTests {
  let folder: TemporaryFolder
  var path: String { folder.path + "/search.sqlite" }

  init() throws { folder = try TemporaryFolder() }

  private struct Text: Hashable {
    var kind: SearchKind
    var row: Int64
  }

  /// All texts, found without the index's code.
  private func texts(of project: Project, _ view: ProjectView) throws -> [Text: String] {
    var texts = [Text(kind: .project, row: 1): project.settings.name.text]
    for track in project.tracks.values { texts[Text(kind: .track, row: track.id.rawValue)] = track.name.text }
    for region in project.regions.values { texts[Text(kind: .region, row: region.id.rawValue)] = region.name.text }
    for group in project.groups.values { texts[Text(kind: .group, row: group.id.rawValue)] = group.name.text }
    for marker in project.markers.values { texts[Text(kind: .marker, row: marker.id.rawValue)] = marker.name.text }
    for comment in project.comments.values { texts[Text(kind: .comment, row: comment.id.rawValue)] = comment.text }
    for take in project.takes.values {
      texts[Text(kind: .take, row: take.id.rawValue)] = "\(take.name.text) \(take.tags.simple)"
    }
    for note in project.recordingNotes.values {
      texts[Text(kind: .recording, row: note.id.rawValue)] = "\(note.title) \(note.notes ?? "")"
    }
    for (region, events) in project.events {
      let sung = events.filter { event in
        if case .meta(let type, _) = event.message { type == 1 || type == 5 } else { false }
      }
      if !sung.isEmpty {
        texts[Text(kind: .lyric, row: region.rawValue)] = Lyrics(sung.map { $0.message.text ?? "" }).text
      }
    }
    for transcript in try view.work.transcripts(TranscriptFilter(limit: .max)).transcripts {
      let own = project.transcriptTexts[TranscriptTextID(rawValue: transcript.id.rawValue)]
      texts[Text(kind: .transcript, row: transcript.id.rawValue)] = own?.text ?? transcript.text
    }
    for summary in try view.work.summaries() {
      texts[Text(kind: .summary, row: summary.recording.rawValue)] = summary.text
    }
    return texts
  }

  @Test("After every step of a random walk it finds what a plain scan finds", arguments: [0, 1])
  func randomWalk(turn: UInt64) throws {
    let seed = Seed.current() &+ turn
    var random = RandomEdits(seed: seed)
    let store = try SampleProject.create(at: folder.project)
    var index = try SearchIndex(at: path)
    var partial = 0
    for step in 0..<150 {
      let comment: Testing.Comment = "seed \(seed), step \(step)"
      for _ in 0..<Int.random(in: 1...3, using: &random.generator) { try takeStep(store, &random) }
      if step % 20 == 10 {
        index.close()
        index = try SearchIndex(at: path)
      }
      try store.read { view in
        let update = try index.update("", from: view)
        if !update.isWhole { partial += 1 }
        #expect(try index.update("", from: view).textCount == 0 || update.isWhole, comment)
        let texts = try self.texts(of: view.project(), view)
        let words = texts.values.flatMap { $0.split(whereSeparator: \.isWhitespace) }.map(String.init)
        for word in (0..<4).compactMap({ _ in words.randomElement(using: &random.generator) }) + ["zzz"] {
          for query in [
            SearchQuery(words: word), SearchQuery(words: word.prefix(2) + "*"),
            SearchQuery(part: String(word.suffix(3))),
          ].compactMap(\.self) {
            let scanned = Set(texts.filter { !query.places(in: $0.value).isEmpty }.keys)
            let hits = try index.hits(query)
            #expect(Set(hits.map { Text(kind: $0.kind, row: $0.row) }) == scanned, comment)
            #expect(hits.count == scanned.count, comment)
          }
        }
      }
    }
    #expect(partial > 75, "seed \(seed): only \(partial) updates were partial")
  }

  private func takeStep(_ store: ProjectStore, _ random: inout RandomEdits) throws {
    switch Int.random(in: 0..<48, using: &random.generator) {
    case 40...42: try transcribe(store, &random)
    case 43:
      if try store.work.summaries(of: nil).isEmpty { try store.recordings.save(RecordingRepositoryTests.facts()) }
      try store.work.keep([WorkRepositoryTests.summary(Self.speech(&random))])
    case 44: try store.work.removeSummaries(of: [WorkRepositoryTests.recording])
    case 45...47:
      let known = try store.work.transcriptIDs()
      guard let id = known.randomElement(using: &random.generator) else { break }
      if Int.random(in: 0..<4, using: &random.generator) == 0 {
        try store.work.remove([id])
      } else {
        let text = TranscriptText(id: TranscriptTextID(rawValue: id.rawValue), text: Self.speech(&random))
        _ = try store.edit(origin) { transaction in
          try transaction.apply(transaction.view.row(text.id) == nil ? .add(text) : .set(text))
        }
      }
    case 0...6: _ = try? store.undo(Int.random(in: 1...3, using: &random.generator), origin: origin)
    case 7...11: _ = try? store.redo(Int.random(in: 1...2, using: &random.generator), origin: origin)
    case 12:
      let other = try plainConnection(to: folder.project)
      try other.write { try $0.execute(sql: "UPDATE region SET name = name || 'x', nameKey = nameKey || 'x'") }
    case 13:
      let count = Int.random(in: 20...60, using: &random.generator)
      try store.setJournalLimits(JournalLimits(count: count, age: nil, bytes: nil))
    case 14: try store.setID(.random())
    default:
      let project = try store.read { try $0.project() }
      let edits = (0..<Int.random(in: 1...5, using: &random.generator)).map { _ in random.next(for: project) }
      _ = try? store.edit(origin) { transaction in for edit in edits { try transaction.apply(edit) } }
    }
  }

  private static func speech(_ random: inout RandomEdits) -> String {
    (0..<Int.random(in: 1...6, using: &random.generator)).compactMap { _ in
      ["good", "morning", "Göttingen", "it's", "bass"].randomElement(using: &random.generator)
    }.joined(separator: " ")
  }

  /// Keeps transcripts of ranges that have one, or have none. All are of the same millisecond.
  private func transcribe(_ store: ProjectStore, _ random: inout RandomEdits) throws {
    try store.work.keep(
      (0..<Int.random(in: 1...3, using: &random.generator)).map { _ in
        let place = Int64.random(in: 0...5, using: &random.generator)
        let text = Int.random(in: 0..<8, using: &random.generator) == 0 ? "" : Self.speech(&random)
        return WorkRepositoryTests.transcript(WorkRepositoryTests.file(place), text)
      })
  }

  @Test("A transcript that is replaced under its id is found in its new words, and the user's words count")
  func replacedTranscript() throws {
    let store = try ProjectStore.inMemory()
    let index = try SearchIndex()
    func keep(_ text: String, at place: Int64 = 0) throws {
      try store.work.keep([WorkRepositoryTests.transcript(WorkRepositoryTests.file(place), text)])
    }
    func found(_ words: String) throws -> [Int64] {
      _ = try store.read { try index.update("", from: $0) }
      return try index.hits(#require(SearchQuery(words: words))).map(\.row)
    }
    try keep("good morning")
    try keep("another place", at: 1)
    let id = try #require(try store.work.transcriptIDs().first)
    #expect(try found("morning") == [id.rawValue])
    try keep("good evening")
    #expect(try store.read { try index.update("", from: $0) } == SearchUpdate(isWhole: false, textCount: 1))
    #expect(try found("morning") == [] && found("evening") == [id.rawValue])
    let own = TranscriptText(id: TranscriptTextID(rawValue: id.rawValue), text: "Good night!")
    _ = try store.edit(origin) { try $0.apply(.add(own)) }
    #expect(try found("night") == [id.rawValue] && found("evening") == [])
    try keep("good grief")
    #expect(try found("night") == [id.rawValue] && found("grief") == [])
    _ = try store.undo(1, origin: origin)
    #expect(try found("night") == [] && found("grief") == [id.rawValue])
    // The words that were replaced are not looked through.
    #expect(try store.work.earlier(than: #require(try store.work.transcript(id))).count == 2)
    try store.work.remove([id])
    #expect(try found("grief") == [] && found("good") == [])
    // A job's progress is a fact that changes no text.
    let job = try store.work.add([WorkRepositoryTests.job(WorkRepositoryTests.file(2))])[0]
    _ = try store.work.change(job.id, of: nil, keeping: nil) { $0.cancel(at: WorkRepositoryTests.now) }
    #expect(try store.read { try index.update("", from: $0) } == SearchUpdate())
  }

  @Test("Where little has changed, little is read")
  func fewRows() throws {
    let store = try SampleProject.create(at: folder.project)
    let index = try SearchIndex()
    #expect(try store.read { try index.update("", from: $0) }.isWhole)
    #expect(try store.read { try index.update("", from: $0) } == SearchUpdate())
    _ = try store.edit(origin) { try $0.apply(.add(SampleProject.track(900, "Zither", .bus))) }
    #expect(try store.read { try index.update("", from: $0) } == SearchUpdate(isWhole: false, textCount: 1))
    let query = try #require(SearchQuery(words: "zither"))
    #expect(try index.hits(query) == [SearchIndex.Hit(project: "", kind: .track, row: 900)])
    _ = try store.undo(1, origin: origin)
    #expect(try store.read { try index.update("", from: $0) } == SearchUpdate())
    #expect(try index.hits(query).isEmpty)
  }

  @Test("A lyric that is changed or moved is found in its new words")
  func changedLyric() throws {
    let store = try SampleProject.create(at: folder.project)
    let index = try SearchIndex()
    _ = try store.read { try index.update("", from: $0) }
    for (event, typed) in [
      (SampleProject.event(46, .meta(type: 5, Array("doo".utf8))), "doo"),
      (SampleProject.event(47, .meta(type: 5, Array("wop".utf8)), at: 960), "\"doo wop\""),
      (SampleProject.event(46, .meta(type: 5, Array("doo".utf8)), at: 1920), "\"wop doo\""),
    ] {
      _ = try store.edit(origin) { try $0.apply(.set([event])) }
      #expect(try store.read { try index.update("", from: $0) } == SearchUpdate(isWhole: false, textCount: 1))
      #expect(try index.hits(#require(SearchQuery(words: typed))).map(\.kind) == [.lyric], "\(typed)")
    }
  }

  @Test("Two projects in one index are kept apart, and one can be forgotten")
  func twoProjects() throws {
    let first = try SampleProject.create(at: folder.project)
    let second = try SampleProject.create(at: folder.path + "/second.sqlite")
    let index = try SearchIndex(at: path)
    _ = try first.read { try index.update("/a", stamp: "1", from: $0) }
    _ = try second.read { try index.update("/b", stamp: "2", from: $0) }
    let query = try #require(SearchQuery(words: "riff"))
    #expect(try Set(index.hits(query).map(\.project)) == ["/a", "/b"])
    #expect(try index.stamps() == ["/a": "1", "/b": "2"])
    try index.forget(["/a", "/c"])
    #expect(try index.hits(query).map(\.project) == ["/b"])
  }

  @Test("The better match comes first")
  func ranking() throws {
    let store = try ProjectStore.inMemory()
    for (id, text) in [(1, "a chorus among very many other words of a long remark"), (2, "chorus"), (3, "verse")] {
      let comment = Comment(
        id: CommentID(rawValue: Int64(id)), author: "ada", date: Timestamp(milliseconds: 1), text: text)
      _ = try store.edit(origin) { try $0.apply(.add(comment)) }
    }
    let index = try SearchIndex()
    _ = try store.read { try index.update("", from: $0) }
    #expect(try index.hits(#require(SearchQuery(words: "chorus"))).map(\.row) == [2, 1])
  }

  @Test("However many texts have it, each is found once, and no more than are asked for", arguments: [63, 64, 65, 200])
  func many(count: Int) throws {
    let store = try ProjectStore.inMemory()
    _ = try store.edit(origin) { transaction in
      for number in 1...count {
        try transaction.apply(
          .add(
            Comment(
              id: CommentID(rawValue: Int64(number)), author: "ada", date: Timestamp(milliseconds: 1), text: "chorus")))
      }
    }
    let index = try SearchIndex()
    _ = try store.read { try index.update("", from: $0) }
    let query = try #require(SearchQuery(words: "chorus"))
    #expect(try index.hits(query).map(\.row) == (1...Int64(count)).map { $0 })
    var rows: [Int64] = []
    try index.forEachHit(query) { hit in
      rows.append(hit.row)
      return rows.count < 63
    }
    #expect(rows == (1...63).map { $0 })
  }

  // MARK: Files that are not to be trusted

  /// An index in the temporary folder that finds "riff" nowhere, although it is up to date by its own account.
  private func plantLie(for store: ProjectStore) throws {
    let index = try SearchIndex(at: path)
    _ = try store.read { try index.update("", from: $0) }
    index.close()
    let plain = try DatabaseQueue(path: path)
    try plain.write { try $0.execute(sql: "DELETE FROM entryText") }
    try plain.close()
  }

  private func expectRebuilt(_ store: ProjectStore, _ comment: Testing.Comment) throws {
    let index = try SearchIndex(at: path)
    defer { index.close() }
    #expect(try store.read { try index.update("", from: $0).isWhole }, comment)
    #expect(try index.hits(#require(SearchQuery(words: "riff"))).count == 1, comment)
  }

  @Test("An index that came from elsewhere is made anew, though it was made by daw")
  func copied() throws {
    let store = try SampleProject.create(at: folder.project)
    try plantLie(for: store)
    // The lie is believed where it was made: the test would notice if every index were made anew.
    let index = try SearchIndex(at: path)
    #expect(try store.read { try index.update("", from: $0) } == SearchUpdate())
    index.close()
    try FileManager.default.copyItem(atPath: path, toPath: path + ".copy")
    try FileManager.default.removeItem(atPath: path)
    try FileManager.default.moveItem(atPath: path + ".copy", toPath: path)
    try expectRebuilt(store, "copied")
  }

  @Test("Other files in its place are replaced, and what a link leads to is left alone")
  func planted() throws {
    let store = try SampleProject.create(at: folder.project)
    let outside = folder.path + "/outside"
    try Data("mine".utf8).write(to: URL(fileURLWithPath: outside))
    for ending in ["", "-wal", "-journal", "-shm"] {
      try FileManager.default.createSymbolicLink(atPath: path + ending, withDestinationPath: outside)
      try expectRebuilt(store, "a link at '\(ending)'")
      #expect(try Data(contentsOf: URL(fileURLWithPath: outside)) == Data("mine".utf8))
    }
    try FileManager.default.removeItem(atPath: path)
    try FileManager.default.linkItem(atPath: outside, toPath: path)
    try expectRebuilt(store, "a hard link")
    #expect(try Data(contentsOf: URL(fileURLWithPath: outside)) == Data("mine".utf8))
    for bytes in [Data(), Data("nonsense".utf8), Data(repeating: 0, count: 4096)] {
      try bytes.write(to: URL(fileURLWithPath: path))
      try expectRebuilt(store, "\(bytes.count) bytes")
    }
    try FileManager.default.removeItem(atPath: path)
    let other = try DatabaseQueue(path: path)
    try other.write {
      try $0.execute(
        sql: """
          PRAGMA application_id = 1684109139;
          CREATE TABLE entryText (text); CREATE VIEW entry AS SELECT 1 AS id; CREATE TABLE project (path);
          """)
    }
    try other.close()
    try expectRebuilt(store, "another schema")
  }

  @Test("Damage is noticed as a fault of the index, or does not matter")
  func damaged() throws {
    let seed = Seed.current()
    var random = SeededGenerator(seed: seed)
    let store = try SampleProject.create(at: folder.project)
    let query = try #require(SearchQuery(words: "riff"))
    var faults = 0
    for turn in 0..<60 {
      SearchIndex.remove(path)
      var index = try SearchIndex(at: path)
      _ = try store.read { try index.update("", from: $0) }
      index.close()
      let file = try #require(FileHandle(forUpdatingAtPath: path))
      let size = try file.seekToEnd()
      for _ in 0..<20 {
        try file.seek(toOffset: UInt64.random(in: 100..<size, using: &random))
        try file.write(contentsOf: Data([UInt8.random(in: 0...255, using: &random)]))
      }
      if turn % 4 == 0 { try file.truncate(atOffset: size / 2) }
      try file.close()
      do {
        index = try SearchIndex(at: path)
        defer { index.close() }
        _ = try store.read { try index.update("", from: $0) }
        _ = try index.hits(query)
      } catch is SearchIndex.Fault {
        faults += 1
      }
    }
    #expect(faults > 0, "seed \(seed)")
  }
}
