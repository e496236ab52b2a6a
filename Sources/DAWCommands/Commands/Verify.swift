import ArgumentParser
import DAWErrors
import DAWModel
import DAWProject
import DAWRender

struct Verify: ReadCommand {
  static let configuration = CommandConfiguration(
    commandName: "verify",
    abstract: "Render a file, or a folder of stems, again by its manifest, and compare.",
    discussion: """
      Needs the manifest that 'daw bounce --manifest' wrote beside the file, and the project. Nothing is changed. The exit \
      status is 0 where the project renders what the file holds; else it is 65, and the first frame that differs and \
      what has changed are named: which medium, which track, which library. A file whose bytes were changed and whose sound was \
      not, as by another program's tags, is a warning.

        daw bounce -o mix.wav --manifest
        daw verify mix.wav
        daw bounce -o stems --stems --manifest
        daw verify stems
      """)

  @Argument(help: "The audio file, or the folder of stems; its manifest is FILE.json.", completion: .file())
  var file: String

  @OptionGroup var project: ProjectOptions

  func perform(on session: Session) throws -> CommandResult {
    let manifest = try RenderManifest.read(beside: file)
    let request: BounceRequest
    do {
      request = try Bounce.parse(ManifestArguments.readable(manifest.arguments)).request()
    } catch {
      throw Failure(
        .invalid, code: "invalidManifest",
        "The manifest of '\(file)' asks for what this daw cannot read: "
          + manifest.arguments.joined(separator: " ").shortenedForMessage,
        hint: "It was written by daw \(manifest.versions["daw"]?.shortenedForMessage ?? "of unknown version").")
    }
    let progress = ProgressBar(label: "Rendering", isShown: !project.output.json && !project.output.quiet)
    defer { progress.clear() }
    let report = try Interruption.catching {
      try session.verify(file, manifest, by: request) { done, total in
        progress.show(done, of: total)
        return !Interruption.wasRequested
      }
    }
    return CommandResult(
      lines: report.lines, made: [report.sha256], json: report.json, warnings: report.warnings,
      exitStatus: report.isSame ? ExitStatus.done : ExitStatus.of(.invalid))
  }
}

extension VerificationReport {
  /// For a person.
  fileprivate var lines: [String] {
    if isSame { return ["'\(path)' is what revision \(revision) renders.", sha256] }
    let differences = stems.filter { !$0.isSame }.map { stem in
      stem.isMissing ? "'\(stem.name)' is missing" : "'\(stem.name)' differs" + place(stem.firstDifferentFrame)
    }
    let reasons =
      differences + changedFiles + changes
      + (earlierRevision == revision ? [] : ["revision: \(earlierRevision) then, \(revision) now"])
    return ["'\(path)' is not what the project renders now\(place(firstDifferentFrame))."] + reasons.map { "  \($0)" }
  }

  private func place(_ frame: Int64?) -> String {
    frame.map { ", first at frame \($0) (\(Wording.time(Double($0) / Double(sampleRate))))" } ?? ""
  }

  private var changedFiles: [String] {
    if stems.isEmpty { return fileIsUntouched ? [] : ["the file has been changed since the render"] }
    let verb = changedStems.count == 1 ? "was" : "were"
    return changedStems.isEmpty ? [] : ["\(changedStems.joined(separator: ", ")) \(verb) changed since the render"]
  }

  /// Names in quotation marks.
  private var changedStems: [String] {
    stems.filter { !$0.fileIsUntouched && !$0.isMissing }.map { "'\($0.name)'" }
  }

  /// Where the sound is the same and the bytes are not, such as those of a tag.
  fileprivate var warnings: [String] {
    guard isSame, !fileIsUntouched else { return [] }
    let sound = changedStems.count > 1 ? "their sound" : "its sound"
    let subject = stems.isEmpty ? "The file's bytes" : "The bytes of \(changedStems.joined(separator: ", "))"
    return ["\(subject) have been changed since the render; \(sound) has not."]
  }

  /// For a script.
  fileprivate var json: JSONObject {
    JSONObject([
      "path": path, "isSame": isSame, "fileIsUntouched": fileIsUntouched, "sha256": sha256, "revision": revision,
      "earlierRevision": earlierRevision, "firstDifferentFrame": firstDifferentFrame, "changes": changes,
      "warnings": warnings,
      "stems": stems.isEmpty
        ? nil
        : stems.map {
          JSONObject([
            "name": $0.name, "isSame": $0.isSame, "fileIsUntouched": $0.fileIsUntouched,
            "isMissing": $0.isMissing, "firstDifferentFrame": $0.firstDifferentFrame,
          ])
        },
    ])
  }
}
