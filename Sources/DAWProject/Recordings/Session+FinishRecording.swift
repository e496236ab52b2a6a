import DAWErrors
import DAWMedia
import DAWModel
import DAWStore
import DAWTime

/// Where a recording's takes are put.
public struct TakePlacement: Sendable {
  /// What happens to regions that lie where a take is put.
  public enum Over: String, Sendable, CaseIterable {
    /// They sound together.
    case mix
    /// They are cut away under it.
    case replace
  }

  public var over = Over.mix
  /// Whether any take sounds; else their regions are there, and not in use.
  public var isHeard = true

  public init() {}
}

/// What a recording has become in the project.
public struct RecordedTakes: Equatable, Sendable {
  /// The recording's id, as it is written.
  public var recording: String
  /// The name of its folder.
  public var folder: String
  public var takes: [Take]
  /// Seconds of all passes of the track that has the most.
  public var seconds: Double
  /// Gaps of all passes, those included where MIDI was lost.
  public var gapCount: Int
  /// Frames of these gaps.
  public var gapFrames: Int64
  /// The revision that put the takes into the project; `nil` where there is nothing to put there.
  public var revision: Int64?
  /// Whether the user has thrown every pass away: it is in the trash.
  public var isCancelled = false
  /// The paths of its files that are not there: relative to the project's folder, or absolute.
  public var missing: [String] = []
  /// A sentence for each file of MIDI messages, and of a killed process for each ledger, that could not be read or not
  /// as a whole: what else it holds is not in the takes.
  public var problems: [String] = []

  public struct Take: Equatable, Sendable {
    public var name: String
    public var track: String
    /// Whether it sounds.
    public var isInUse: Bool
    /// What the track that was recorded was called, where it is gone and `track` was made for the take.
    public var formerTrack: String?
  }
}

extension Session {
  /// Saves what is known about a recording that is under way, without waiting for another process that writes.
  /// - Throws: `Failure`.
  package func save(_ facts: RecordingFacts) throws { try failing { try store.recordings.saveNow(facts) } }

  /// `Audio/Recordings`
  package var recordings: Place { folder.place("Audio", "Recordings") }

  /// Puts a recording whose files are complete into the project: one edit with its takes, and its facts. One of which
  /// the user has thrown every pass away goes to the trash. Files that are not there any more are said to be missing.
  /// May be called again for one that was interrupted.
  /// - Parameters:
  ///   - found: tags of the passes, such as `clipped`, by their ids.
  ///   - played: the tempo maps by which passes of MIDI were played, by their ids; where there is none, the project's.
  ///   - whole: the passes that are known to have been played to the end of the loop or of the punch range.
  ///   - isRecovered: whether another process recorded it.
  /// - Throws: `Failure`; the files are as they were.
  package func finish(
    _ description: RecordingDescription, in folder: RecordingFolder, _ placement: TakePlacement,
    found: [Int64: Set<String>] = [:], played: [Int64: [PlayedTempo]] = [:], whole: Set<Int64> = [],
    isRecovered: Bool = false
  ) throws -> RecordedTakes {
    try failing {
      let path = "Audio/Recordings/\(folder.name)"
      guard folder.isInPlace else {
        throw Failure(
          .io, code: "io", "The folder '\(path)' is not there any more.",
          hint: "Where it was moved, put it back, and let 'daw recover-recordings' put it into the project.")
      }
      let description = folder.markingMissing(in: description)
      let wanted = description.withoutCancelled
      let (messages, problems) = folder.messages(of: description)
      try writeManifests(of: wanted, in: folder)
      let facts = facts(of: description, in: folder, at: path, found: found, isRecovered: isRecovered)
      // In one transaction: notes are placed by the tempo of the project that they are put into, and at no time, and
      // after no kill, there are takes of a recording of which the project says that it still runs.
      let result = try edit(.current) { editor in
        var (placed, moved) = (wanted, messages)
        let now = try editor.tempoMap()
        for (pass, tempi) in played { placed.move(pass, played: tempi, to: now, &moved[pass, default: []]) }
        let heard = placement.isHeard ? placed.heardPasses(whole: whole) : []
        let new = newTakes(of: placed, moved, heard, in: folder, at: path)
        let added = try add(new, of: description.header, in: folder, placement, by: editor)
        let isSaved = try save(facts, isRecovered: isRecovered, by: editor)
        return (takes: added, isSaved: isSaved)
      }
      let takes = result.value.takes
      let isCancelled = wanted.passes.isEmpty && !description.passes.isEmpty
      if isCancelled, result.value.isSaved { try removeRecording(facts.recording.id) }
      let gaps = description.passes.flatMap { RecordingFacts.gaps(of: $0, isCompleted: true) }
      let missing = description.passes.flatMap(\.segments).filter { $0.isMissing && $0.frames > 0 }
      let frames = Dictionary(grouping: description.passes, by: \.header.track).values.map { passes in
        passes.reduce(FrameCount.zero) { $0 + FrameCount(frames: $1.recordedFrames) }.frames
      }
      return RecordedTakes(
        recording: RecordingID(rawValue: description.header.recording).uuidString, folder: folder.name, takes: takes,
        seconds: Double(frames.max() ?? 0) / Double(max(1, description.header.sampleRate)),
        gapCount: gaps.count, gapFrames: gaps.reduce(FrameCount.zero) { $0 + $1.frames }.frames,
        revision: takes.isEmpty ? nil : result.entry?.revision, isCancelled: isCancelled,
        missing: missing.map { $0.isSpilled ? $0.name : "\(path)/\($0.name)" },
        problems: problems)
    }
  }

  /// Writes a manifest for each pass of sound, unless the project has its take already: then the file stays as its hash
  /// says.
  /// - Parameter description: without the passes that were thrown away.
  private func writeManifests(of description: RecordingDescription, in folder: RecordingFolder) throws {
    let known = try store.read { view in Set(try view.all(Take.self).compactMap(\.pass?.rawValue)) }
    var manifests: [(name: String, manifest: TakeManifest)] = []
    for pass in description.passes where pass.hasContent && pass.header.kind == .audio {
      let name = folder.takeName(of: pass.header)
      if !known.contains(pass.header.pass) { manifests.append((name, TakeManifest(pass, of: description.header))) }
    }
    try TakeManifest.write(manifests, in: folder)
  }

  /// The passes that become takes.
  /// - Parameters:
  ///   - description: without the passes that were thrown away.
  ///   - messages: of the MIDI passes, by their ids.
  ///   - heard: those that sound.
  ///   - path: the folder's, within the project's folder.
  private func newTakes(
    of description: RecordingDescription, _ messages: [Int64: [RecordedEvent]], _ heard: Set<Int64>,
    in folder: RecordingFolder, at path: String
  ) -> [NewTake] {
    description.passes.filter(\.hasContent).map { pass in
      let content: NewTake.Content =
        pass.header.kind == .audio
        ? .audio(path: "\(path)/\(folder.takeName(of: pass.header))") : .midi(messages[pass.header.pass] ?? [])
      return NewTake(pass: pass, content: content, isInUse: heard.contains(pass.header.pass))
    }
  }

  /// Puts takes into the project. Where there are none, the recording's title is kept, if it has one.
  /// - Returns: the takes that were added.
  private func add(
    _ takes: [NewTake], of header: RecordingHeader, in folder: RecordingFolder, _ placement: TakePlacement,
    by editor: Editor
  ) throws -> [RecordedTakes.Take] {
    let id = RecordingID(rawValue: header.recording)
    let title = header.title.fitted(to: RecordingNote.maximumTitleLength)
    guard takes.isEmpty else {
      return try editor.addTakes(takes, of: header, named: title.isEmpty ? folder.name : title, placement)
    }
    // It may have been thrown away, and come back. What a user says later about one that is complete holds.
    if try !title.isEmpty && editor.view.recordings.recording(id)?.isCompleted != true {
      try editor.keepTitle(title, of: id)
    }
    return []
  }

  /// The facts of a recording that is complete.
  private func facts(
    of description: RecordingDescription, in folder: RecordingFolder, at path: String, found: [Int64: Set<String>],
    isRecovered: Bool
  ) -> RecordingFacts {
    var found = found
    for pass in description.passes where !RecordingFacts.gaps(of: pass, isCompleted: true).isEmpty {
      found[pass.header.pass, default: []].insert("gaps")
    }
    var facts = RecordingFacts(description, folder: path, found: found, isCompleted: true, isRecovered: isRecovered)
    folder.noteCompressed(in: &facts)
    return facts
  }

  /// Saves the facts of a recording that is complete. The project keeps its own where it knows more than the files
  /// tell: where the process that recorded it has finished it meanwhile, and where the ledger of a complete recording
  /// was lost.
  /// - Returns: whether they were saved.
  private func save(_ facts: RecordingFacts, isRecovered: Bool, by editor: Editor) throws -> Bool {
    let (rows, id) = (editor.view.recordings, facts.recording.id)
    guard try !isRecovered || rows.recording(id)?.isCompleted != true else { return false }
    // A ledger may say anything, also the id of another recording's pass.
    let others = Set(try rows.passes(facts.passes.map(\.id)).filter { $0.recording != id }.map(\.id))
    var own = facts
    own.passes.removeAll { others.contains($0.id) }
    own.segments.removeAll { others.contains($0.pass) }
    own.gaps.removeAll { others.contains($0.pass) }
    try editor.replace(own)
    return true
  }
}

/// A recorded pass that becomes a take.
package struct NewTake {
  enum Content {
    /// The path of its manifest, within the project's folder.
    case audio(path: String)
    case midi([RecordedEvent])
  }

  var pass: RecordingDescription.Pass
  var content: Content
  var isInUse: Bool
}

extension RecordingFolder {
  /// Lets the rows of segments that were compressed name the files that they are in now.
  fileprivate func noteCompressed(in facts: inout RecordingFacts) {
    for index in facts.segments.indices where !facts.segments[index].isOutside {
      let segment = facts.segments[index]
      let name = segment.fileName
      guard !hasFile(name), let found = CompressedSegment.names(for: name).first(where: hasFile),
        let digest = try? sha256(ofFile: place.appending(found).path)
      else { continue }
      facts.segments[index].recordedSHA256 = segment.sha256
      facts.segments[index].sha256 = digest.sha256
      facts.segments[index].fileSize = digest.byteCount
      facts.segments[index].path = facts.recording.folder + "/" + found
    }
  }

  /// The messages of the MIDI passes, by their ids, as far as the files can be read, and a sentence for each that
  /// cannot. All files are read: where tracks have the same name, it does not tell which file is whose.
  fileprivate func messages(
    of description: RecordingDescription
  ) -> (byPass: [Int64: [RecordedEvent]], problems: [String]) {
    let passes = Set(description.passes.filter { $0.header.kind == .midi }.map(\.header.pass))
    guard !passes.isEmpty else { return ([:], []) }
    var messages: [Int64: [RecordedEvent]] = [:]
    var present: Set<Int64> = []
    var problems: [String] = []
    do {
      for name in try names() where !name.hasPrefix(".") && name.hasSuffix(".events") {
        do throws(AudioFileError) {
          var found: [Int64: [RecordedEvent]] = [:]
          let file = try EventsFile(name, in: self) { found[$0.pass, default: []].append($0) }
          guard file.header.recording == description.header.recording else { continue }
          present.formUnion(file.passes.map(\.pass))
          // Of a copy that lies beside a file, the one that holds more is taken.
          messages.merge(found.filter { passes.contains($0.key) }) { $0.count < $1.count ? $1 : $0 }
        } catch {
          problems.append("The MIDI in '\(name)' is in no take: \(error.reason).")
        }
      }
    } catch {
      problems.append("MIDI is in no take: '\(name)' cannot be read (\(error)).")
    }
    if problems.isEmpty {
      let lost = description.passes.filter { passes.contains($0.header.pass) && !present.contains($0.header.pass) }
      for track in Set(lost.map(\.header.trackName)).sorted() {
        problems.append("The MIDI of '\(track)' is in no take: no file has it.")
      }
    }
    return (messages, problems)
  }
}

extension AudioFileError {
  /// Why a file of MIDI messages cannot be read.
  fileprivate var reason: String {
    switch self {
    case .empty: "it is empty"
    case .noPermission: "it may not be read"
    case .damaged(_, let reason): "it is damaged (\(reason))"
    case .system(_, let failure): "\(failure)"
    default: "it is no file of MIDI messages"
    }
  }
}
