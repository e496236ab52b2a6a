import ArgumentParser
import DAWProject

struct Clean: ReadCommand {
  static let configuration = CommandConfiguration(
    commandName: "clean",
    abstract: "Remove media that nothing uses any more.",
    discussion: """
      Removes what lies in Audio/ and is used neither by the project nor by any state that undo or redo can reach, and \
      copies that a killed import, backup or retain has left. No other command ever deletes media. Links, and what \
      they lead to, are left, and named. Where the disk is full, --cache makes room first.

        daw clean --dry-run
        daw clean --cache
      """)

  @Flag(help: "Also remove what is made again when it is needed: resampled copies, peaks.")
  var cache = false

  @Flag(help: "Only say what would go.")
  var dryRun = false

  @OptionGroup var project: ProjectOptions

  func perform(on session: Session) throws -> CommandResult {
    let result = try session.clean(includesCache: cache, isTrial: dryRun)
    let verb = dryRun ? "Would remove" : "Removed"
    let size = Wording.size(result.byteCount)
    let summary =
      result.removed.isEmpty ? "Nothing to remove." : "\(verb) \(counted(result.removed.count, "file")), \(size):"
    return CommandResult(
      lines: [summary] + result.removed.map { "  \($0)" }, made: result.removed,
      json: JSONObject([
        "removed": result.removed, "byteCount": result.byteCount, "isDryRun": dryRun, "left": result.left,
      ]),
      warnings: result.left.map {
        "'\($0)' is left: it is a link, nothing that daw has made, or cannot be read."
      })
  }
}
