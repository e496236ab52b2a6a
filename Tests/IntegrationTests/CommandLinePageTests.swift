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
