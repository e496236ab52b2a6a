import DAWErrors
import DAWInstruments
import DAWMedia
import DAWModel
import DAWStore
import Foundation

/// A finding of `daw check`, and how to fix it.
public struct CheckFinding: Equatable, Sendable {
  /// A rule's name, or `missing`, `unfinishedRemoval`, `changed`, `unreadable`, `moreFollows`, `damaged`, `foreignTable`,
  /// `journal`, `outside`, `link`, `unfinished`, `orphaned`.
  public var code: String
  public var message: String
  public var hint: String
  /// For information only; the project is in order.
  public var isNotice: Bool

  public init(code: String, message: String, hint: String, isNotice: Bool = false) {
    self.code = code
    self.message = message
    self.hint = hint
    self.isNotice = isNotice
  }
}

/// The result of `daw check`.
public struct CheckReport: Equatable, Sendable {
  public var findings: [CheckFinding]
  /// Other processes that have the project open.
  public var openElsewhere: [OtherProcess]
}

extension Session {
  /// Verifies the file, the rules, the journal and the media.
  /// - Throws: `Failure` if the project cannot be read at all.
  public func check() throws -> CheckReport {
    try failing {
      var findings = try store.damages().map {
        CheckFinding(
          code: "damaged", message: $0,
          hint: "'daw recover' makes a new project of what can be read of it, with the copies in Backups/ to help.")
      }
      findings += try store.foreignTables().map {
        CheckFinding(
          code: "foreignTable", message: "The project file has a table '\($0)' of another program.",
          hint: "daw leaves it alone, and copies it into backups.", isNotice: true)
      }
      findings += try store.read { try $0.brokenRules() }.map { finding in
        CheckFinding(
          code: finding.violation.rule.rawValue,
          message: "\(finding.violation.value) (table \(finding.table), row \(finding.id)) breaks a rule.",
          hint: finding.violation.accepted)
      }
      findings += try journalFindings()
      let (files, fonts, tracks, used) = try store.read {
        (
          try $0.audioFiles(), try $0.soundFonts(), try $0.trackNamesBySoundFont(),
          Set(try $0.all(Region.self).compactMap { $0.audio?.file })
        )
      }
      let trash = try trashState()
      findings += trash.findings
      findings += files.filter { !isAway($0, trash, used: used) }.flatMap { file in
        let segments = segmentFindings(file.location)
        if !segments.isEmpty { return segments }
        return [mediumFinding("audio file", file.location) ?? notice(ofMoreIn: file)].compactMap { $0 }
      }
      findings += fonts.compactMap { soundFontFinding($0, tracks[$0.id] ?? []) }
      findings += try store.read { try $0.silentLanes() }
      findings += try recordingFindings() + foreignSegmentFindings()
      findings += try orphanFindings()
      findings += linkFindings()
      return CheckReport(findings: findings, openElsewhere: OtherProcess.having(folder.database))
    }
  }

  /// Restores a project file's schema, if no row of daw's tables is lost by that. The file is backed up first.
  /// - Returns: descriptions of the repairs; empty if the schema was right.
  /// - Throws: `Failure`; the file is not changed.
  public static func repairSchema(_ folder: ProjectFolder) throws -> [String] {
    try failing {
      try ProjectStore.repairSchema(at: folder.database) {
        try folder.openBackups().path + "/" + backupName("before-repair")
      }
    }
  }

  private func journalFindings() throws -> [CheckFinding] {
    try store.verifyJournal().map { finding in
      switch finding {
      case .unrecordedChanges(let rows, let isNoticed):
        CheckFinding(
          code: "externalWrite", message: "Another program has written \(counted(rows, "row")) of the project file.",
          hint: isNoticed
            ? "The next edit records that in the history; nothing needs to be done."
            : "It also turned off the triggers that notice this: 'daw check --record' records it in the history.",
          isNotice: isNoticed)
      case .entryDoesNotFit(let revision, let detail):
        CheckFinding(
          code: "inconsistentJournal",
          message: "The journal's entry \(revision) does not fit those before it (\(detail)).",
          hint: "The project itself can be used; undo does not reach back beyond this entry.")
      case .isInconsistent(let detail):
        CheckFinding(
          code: "inconsistentJournal", message: "The journal contradicts itself (\(detail)).",
          hint: "The project itself can be used; make a copy with 'daw show --json --notes' and 'daw new --from'.")
      }
    }
  }

  /// Records in the history what another program has written, even if it turned off the triggers that count writes.
  /// - Returns: whether anything was recorded.
  public func recordExternalWrites() throws -> Bool { try failing { try store.recordExternalWrites() != nil } }

  /// - Parameter tracks: the names of the tracks that use it.
  private func soundFontFinding(_ font: SoundFont, _ tracks: [String]) -> CheckFinding? {
    let path = font.location.path
    if var finding = mediumFinding("SoundFont", font.location) {
      if let track = tracks.first {
        let names = tracks.map { "'\($0)'" }.joined(separator: ", ")
        finding.message += " Used by \(names)."
        finding.hint += " Or choose another: 'daw set-track \(shellQuoted(track)) --soundfont FILE'."
      }
      return finding
    }
    guard let found = folder.find(font.location) else { return nil }
    do throws(InstrumentError) {
      _ = try SoundFontLibrary.presets(path: found)
      return nil
    } catch .libraryUnavailable(let reason) {
      return CheckFinding(
        code: "fluidSynthUnavailable", message: "The SoundFont '\(path)' could not be tried: \(reason)",
        hint: "Install FluidSynth (apt install libfluidsynth3).", isNotice: true)
    } catch {
      return CheckFinding(
        code: "unreadable", message: "\(error)", hint: "Every copy with this hash is damaged: get an intact file.")
    }
  }

  /// A notice, as at import, if the file continues after the part that is read.
  private func notice(ofMoreIn file: AudioFile) -> CheckFinding? {
    guard let path = folder.find(file.location),
      let warning = try? AudioFileFacts.warningOfMore(
        path: path, countedFrames: file.frames, sampleRate: file.sampleRate)
    else { return nil }
    return CheckFinding(
      code: "trailingAudio", message: "The audio file '\(file.location.path)': \(warning).",
      hint: "The project plays what it has always played; import the new file for the rest.", isNotice: true)
  }

  /// What is wrong with the segments of a take; empty for another file, and where the take's own file is missing or broken.
  private func segmentFindings(_ location: MediaLocation) -> [CheckFinding] {
    guard TakeManifest.isNamed(location.path), let path = folder.find(location),
      let take = try? TakeManifest.read(path: path), let faults = try? take.faults(path: path, hashes: true)
    else { return [] }
    return compressedFindings(take, location, in: path)
      + faults.map { fault in
        let name = (fault.path as NSString).lastPathComponent
        let recorded = take.segments.first { $0.name == name || $0.name == fault.path }?.sha256
        let hash = recorded.map { ": its SHA-256 is \($0)." }
        let hint = "Put it back" + (hash ?? " from a copy of the project.")
        let subject = "The file '\(fault.path)' of the take '\(location.path)'"
        return switch fault {
        case .missing:
          CheckFinding(
            code: "missing", message: "\(subject) is missing.",
            hint: hash.map { "Put it back, or let 'daw relink --search FOLDER' find it" + $0 } ?? hint)
        case .damaged, .endsEarly:
          CheckFinding(code: "changed", message: "\(subject) is not what was recorded.", hint: hint)
        default: CheckFinding(code: "unreadable", message: "\(subject) cannot be read: \(fault)", hint: hint)
        }
      }
  }

  /// What is wrong with segments that were compressed: the rows know their hashes, the manifest does not.
  private func compressedFindings(_ take: TakeManifest, _ location: MediaLocation, in path: String) -> [CheckFinding] {
    let rows =
      (try? read { view in
        try view.recordings.passes([PassID(rawValue: take.pass)]).flatMap { pass in
          try view.recordings.segments(of: pass.recording).filter { $0.pass == pass.id && $0.recordedSHA256 != nil }
        }
      }) ?? []
    let hashes = Dictionary(rows.map { (($0.path as NSString).lastPathComponent, $0.sha256) }) { first, _ in first }
    return ((try? TakeManifest.files(of: path)) ?? []).compactMap { file in
      guard case .some(.some(let expected)) = hashes[(file as NSString).lastPathComponent],
        let found = try? sha256(ofFile: file).sha256, found != expected
      else { return nil }
      return CheckFinding(
        code: "changed",
        message: "The file '\(file)' of the take '\(location.path)' is not what its segment was compressed to.",
        hint: "Put it back: its SHA-256 is \(expected).")
    }
  }

  private func mediumFinding(_ noun: String, _ location: MediaLocation) -> CheckFinding? {
    switch folder.state(of: location, isThorough: true) {
    case .asRecorded: nil
    case .missing:
      CheckFinding(
        code: "missing", message: "The \(noun) '\(location.path)' is missing.",
        hint: "Put it back, or let 'daw relink --search FOLDER' find it: its SHA-256 is \(location.sha256).")
    case .changed:
      CheckFinding(
        code: "changed", message: "The \(noun) '\(location.path)' is not what the project recorded.",
        hint: "Put the original back (SHA-256 \(location.sha256)), or add the new one as another medium.")
    case .unreadable(let reason):
      CheckFinding(
        code: "unreadable", message: "The \(noun) '\(location.path)' cannot be read: \(reason)",
        hint: "Check its permissions and the disk.")
    }
  }
}
