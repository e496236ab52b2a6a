import DAWErrors
import DAWInstruments
import DAWMedia
import DAWModel
import DAWStore
import Foundation

/// A finding of `daw check`, and how to fix it.
public struct CheckFinding: Equatable, Sendable {
  /// A rule's name, or `damaged`, `foreignTable`, `externalWrite`, `inconsistentJournal`, `missing`, `changed`,
  /// `unreadable`, `trailingAudio`, `truncatedAudio`, `fluidSynthUnavailable`, `silent`, `unfinished`,
  /// `unfinishedRemoval`, `symbolicLink`, `orphaned`.
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
      var takes = CheckedTakes()
      for file in files where !isAway(file, trash, used: used) {
        var found =
          segmentFindings(file.location, noting: &takes)
          ?? [mediumFinding(file) ?? notice(ofEndOf: file)].compactMap(\.self)
        for index in found.indices where found[index].code == "missing" {
          if let hint = hint(restoring: file, trash) { found[index].hint = hint }
        }
        findings += found
      }
      findings += fonts.compactMap { soundFontFinding($0, tracks[$0.id] ?? []) }
      findings += try store.read { try $0.silentLanes() }
      findings += try recordingFindings(besides: takes) + foreignSegmentFindings()
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
      case .textsAreTooLong(let revision, let count):
        CheckFinding(
          code: "inconsistentJournal",
          message: "The journal's entry \(revision) \(count == 1 ? "has" : "and \(counted(count - 1, "other")) have") "
            + "a longer author, summary or command line than daw writes.",
          hint: "Another program wrote that. The project and its history can be used; only the beginning is shown.",
          isNotice: true)
      }
    }
  }

  /// Records in the history what another program has written, even if it turned off the triggers that count writes.
  /// - Returns: whether anything was recorded.
  public func recordExternalWrites() throws -> Bool { try failing { try store.recordExternalWrites() != nil } }

  /// - Parameter tracks: the names of the tracks that use it.
  private func soundFontFinding(_ font: SoundFont, _ tracks: [String]) -> CheckFinding? {
    let path = font.location.path
    if var finding = mediumFinding(font) {
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

  /// A notice, as at import, if the file is cut short, or continues after the part that is read.
  private func notice(ofEndOf file: AudioFile) -> CheckFinding? {
    guard let path = folder.find(file.location),
      let warning = try? AudioFileFacts.warningOfEnd(
        path: path, countedFrames: file.frames, sampleRate: file.sampleRate)
    else { return nil }
    let message = "The audio file '\(file.location.path)': \(warning)."
    if case .moreFollows = warning {
      return CheckFinding(
        code: "trailingAudio", message: message,
        hint: "The project plays what it has always played; import the new file for the rest.", isNotice: true)
    }
    return CheckFinding(
      code: "truncatedAudio", message: message,
      hint: "The project plays what there is; fetch the file again, and import it for the rest.", isNotice: true)
  }

  private func mediumFinding(_ medium: some Medium) -> CheckFinding? {
    switch folder.state(of: medium.location, isThorough: true) {
    case .asRecorded: nil
    case .missing:
      CheckFinding(
        code: "missing", message: medium.missingSentence,
        hint: "Put it back, or let 'daw relink --search FOLDER' find it: its SHA-256 is \(medium.location.sha256).")
    case .changed:
      CheckFinding(
        code: "changed", message: medium.changedSentence,
        hint: "Put the original back (SHA-256 \(medium.location.sha256)), or add the new one as another medium.")
    case .unreadable(let reason):
      CheckFinding(
        code: "unreadable", message: medium.unreadableSentence(reason),
        hint: "Check its permissions and the disk.")
    }
  }
}
