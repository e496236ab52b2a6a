import ArgumentParser
import DAWProject

struct Backup: ReadCommand {
  static let configuration = CommandConfiguration(
    commandName: "backup",
    abstract: "Copy the project file into Backups/.",
    discussion: """
      Works while others edit. Media need no copy, since no edit changes or deletes them; for a whole copy of the \
      project see 'daw copy'. The newest 20 backups stay, and all of the last 90 days; older ones that daw has made go. \
      --keep and --keep-for say otherwise.

        daw backup
        daw backup --keep 5 --keep-for 30d
        daw backup --keep-for off
      """)

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp("How many backups stay whatever their age: the newest.", valueName: "n"),
    transform: Int.init(typed:))
  var keep: Int?

  @Option(
    help: ArgumentHelp("The age up to which all stay, such as 30d or 12w; off: none goes.", valueName: "age"),
    transform: KeptAge.init(typed:))
  var keepFor: KeptAge?

  @OptionGroup var project: ProjectOptions

  func perform(on session: Session) throws -> CommandResult {
    let path = try session.backUp()
    var removed: [String] = []
    if keepFor?.isOff != true {
      let usual = BackupLimits.standard
      removed = try session.removeOldBackups(
        BackupLimits(count: keep ?? usual.count, age: keepFor?.days ?? usual.age))
    }
    let old =
      removed.isEmpty ? [] : ["Removed \(counted(removed.count, "old backup")): \(removed.joined(separator: ", "))"]
    return CommandResult(
      lines: ["Backed up to \(path)"] + old, made: [path], json: JSONObject(["path": path, "removed": removed]))
  }

  func validate() throws {
    if let keep, !BackupLimits.acceptedCount.contains(keep) {
      throw ValidationError("'--keep' takes a number of backups, 1 or more.")
    }
  }
}
