import ArgumentParser
import DAWProject

struct Upgrade: ReadCommand {
  static let configuration = CommandConfiguration(
    commandName: "upgrade",
    abstract: "Bring a project of an older daw up to date.",
    discussion: """
      A copy is put into Backups/ first. Any edit does the same; looking at a project never changes it.

        daw upgrade
      """)

  @OptionGroup var project: ProjectOptions

  func perform(on session: Session) throws -> CommandResult {
    let upgrade = try session.upgrade()
    let text =
      upgrade.from == upgrade.to
      ? "The project is up to date (schema \(upgrade.to))."
      : "Brought the project from schema \(upgrade.from) to \(upgrade.to)."
    return CommandResult(
      text: text, json: JSONObject(["from": upgrade.from, "to": upgrade.to, "isChanged": upgrade.from != upgrade.to]))
  }
}
