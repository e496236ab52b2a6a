import ArgumentParser
import DAWProject

struct ListProjects: ReportingCommand {
  static let configuration = CommandConfiguration(
    commandName: "list-projects",
    abstract: "List the projects below folders.",
    discussion: """
        daw list-projects
        daw list-projects ~/Music --sort name --limit 20 --page 2
      """)

  @Argument(help: "Where to look. (default: the current folder)", completion: .directory)
  var folders: [String] = []

  @Option(
    help: "By what to sort: modified (newest edit first), created (newest first) or name.",
    completion: .list(["modified", "created", "name"]), transform: order)
  var sort: RecentProjects.Order = .modified

  @OptionGroup var pages: PageOptions

  @OptionGroup var output: OutputOptions

  func perform() throws -> CommandResult {
    let found = try RecentProjects.find(below: folders.isEmpty ? ["."] : folders, by: sort)
    let shown = found.dropFirst(pages.offset).prefix(pages.limit)
    var table = TextTable(.text, .plain, .path)
    for project in shown {
      switch project.header {
      case .success(let header):
        table.add([
          "\(header.settings.name.text)", "\(Wording.date(header.modifiedDate.iso8601))", "\(project.folder.path)",
        ])
      case .failure(let failure): table.add(["?", "\(failure.code)", "\(project.folder.path)"])
      }
    }
    let more = found.count - pages.offset - shown.count
    let remark = more > 0 ? [StyledLine("\(more) more; see --page.")] : []
    return CommandResult(
      lines: shown.isEmpty ? [found.isEmpty ? "No projects found." : "No more projects."] : table.lines() + remark,
      made: shown.map(\.folder.path),
      json: JSONObject(["count": found.count, "projects": shown.map(Self.entry)]))
  }

  private static func entry(_ project: FoundProject) -> JSONObject {
    switch project.header {
    case .success(let header):
      JSONObject([
        "path": project.folder.path, "id": header.id, "name": header.settings.name.text, "revision": header.revision,
        "createdDate": header.createdDate.iso8601, "modifiedDate": header.modifiedDate.iso8601,
      ])
    case .failure(let failure):
      JSONObject([
        "path": project.folder.path, "error": JSONObject(["code": failure.code, "message": failure.message]),
      ])
    }
  }

  private static func order(_ text: String) throws -> RecentProjects.Order {
    try RecentProjects.Order(typed: text, listedAs: "the orders are")
  }
}
