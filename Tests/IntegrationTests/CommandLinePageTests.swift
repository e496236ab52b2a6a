import Foundation
import Testing

/// `Documentation/CommandLine.md`, compared with what the built `daw` says of itself.
@Suite("The page of the command line")
struct CommandLinePageTests {
  private struct Dump: Decodable {
    struct Command: Decodable {
      var commandName: String
      var arguments: [Argument]?
      var subcommands: [Command]?
    }
    struct Argument: Decodable { var names: [Name]? }
    struct Name: Decodable { var kind, name: String }
    var command: Command
  }

  /// What every command, or every edit, has: tables of their own on the page.
  private static let common: Set<String> = ["project", "json", "quiet", "version", "help", "dry-run", "if-revision"]

  /// The long options of each command; of a flag with a `no-` form, only the plain one.
  private func options() throws -> [String: Set<String>] {
    let dump = try DAWProgram(folder: checkout).run(["--experimental-dump-help"]).json(Dump.self)
    var options: [String: Set<String>] = [:]
    for command in dump.command.subcommands ?? [] where command.commandName != "help" {
      let names = Set((command.arguments ?? []).flatMap { $0.names ?? [] }.filter { $0.kind == "long" }.map(\.name))
      options[command.commandName] = names.filter { !$0.hasPrefix("no-") || !names.contains(String($0.dropFirst(3))) }
    }
    return options
  }

  private func page() throws -> String {
    try String(contentsOf: checkout.appending(path: "Documentation/CommandLine.md"), encoding: .utf8)
  }

  @Test("Each command has a row, which names all of its options and no other")
  func rows() throws {
    let options = try options()
    #expect(options.count > 20)
    var rows: [String: Set<String>] = [:]
    for line in try page().split(separator: "\n") {
      guard let command = try /\| `([a-z][a-z-]*)( [^`]*)?` \|/.prefixMatch(in: line) else { continue }
      rows[String(command.1)] = Set(line.matches(of: /--([a-z][a-z-]*)/).map { String($0.1) })
    }
    #expect(Set(rows.keys) == Set(options.keys))
    for (command, named) in rows {
      #expect(named.subtracting(Self.common) == options[command]?.subtracting(Self.common), "\(command)")
    }
  }

  /// The keys of all objects in a value of JSON.
  private func keys(_ value: Any) -> Set<String> {
    switch value {
    case let object as [String: Any]: object.values.reduce(into: Set(object.keys)) { $0.formUnion(keys($1)) }
    case let list as [Any]: list.reduce(into: []) { $0.formUnion(keys($1)) }
    default: []
    }
  }

  @Test("The keys that edits and exports print are named")
  func keysOfResults() throws {
    let rest = try #require(try page().components(separatedBy: "\n## JSON\n").dropFirst().first)
    let section = try #require(rest.components(separatedBy: "\n## Exit statuses\n").first)
    let named = Set(section.matches(of: /\w+/).map { String($0.output) })
    try withScratchFolder { folder in
      let daw = DAWProgram(folder: folder, environment: ["DAW_PROJECT": "Song"])
      try daw("new", "Song")
      let lines = [
        "add-track K --type midi", "add-track V", "add-track Room --type bus", "set-track V --output Room",
        "add-region K --name R --length 8b", "add-note R 60", "add-region K --name S --length 8b --at 8b",
      ]
      try daw("batch", "-", input: lines.joined(separator: "\n"))
      for words in [
        "quantize --region R --grid 1/8", "humanize --region R --timing 10ms", "copy-notes --region R --by 2b",
        "remove-notes --region R --pitch 60", "split-region R --at 4b", "join-regions --track K",
        "move-regions --track K --by 1b", "insert-time --at 2b --length 1b", "copy-time --from 0b --to 1b --at 4b",
        "delete-time --from 0b --to 1b", "remove-track Room --reroute", "new-take K", "export -o a.mid",
        "import a.mid", "add-point V volume 0 --at 1b", "thin-points V volume --tolerance 1",
        "copy-points V volume --at 9b",
      ] {
        let output = try daw.run(words.split(separator: " ").map(String.init) + ["--json"])
        guard output.status == 0 else {
          Issue.record("\(words): \(output.error)")
          continue
        }
        let found = keys(try JSONSerialization.jsonObject(with: output.data))
        #expect(found.isSubset(of: named), "\(words): \(found.subtracting(named).sorted())")
      }
    }
  }

  @Test("No option is named that does not exist")
  func noOtherOptions() throws {
    let page = try page()
    let known = try options().values.reduce(into: Set<String>()) { $0.formUnion($1) }
    #expect(Self.common.isSubset(of: known))
    for name in Set(page.matches(of: /--([a-z][a-z-]*)/).map { String($0.1) }) {
      let plain = name.hasPrefix("no-") ? String(name.dropFirst(3)) : name
      // `--as` belongs to a line of a batch, not to a command.
      #expect(known.contains(plain) || known.contains(name) || name == "as", "--\(name)")
    }
  }
}
