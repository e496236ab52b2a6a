import ArgumentParser
import Foundation

/// The arguments of `bounce` that a manifest keeps, for `verify` to bounce with again.
enum ManifestArguments {
  /// By their long names: what decides where the file goes, what is printed, and how fast it is made.
  private static let passing: Set = [
    "--project", "--output", "--overwrite", "--json", "--quiet", "--block", "--threads", "--manifest", "--digest",
    "--verify", "--explain", "--no-cache",
  ]

  /// Those of a command line that decide what is in the file, by their long names.
  /// - Parameter words: the program's, options before the verb included, as the parser has accepted them.
  static func kept(of words: [String]) throws -> [String] {
    let arguments = try TypedArguments(words).arranged().dropFirst()
    return try texts(ArgumentScan(arguments, OptionGrammar(of: Bounce.self)).options) { option, value in
      // `verify` may be run in another folder.
      option.names.contains("--cover") ? absolute(value) : value
    }
  }

  /// Those of a manifest, without what earlier manifests have by mistake: the value of an option that stood before the
  /// verb, and `--color`. Where a value was the word `bounce`, they lack it.
  /// - Returns: what was written, where it is nothing that daw has ever written.
  /// - Throws: `Failure` for what would keep the parser busy without end.
  static func readable(_ written: [String]) throws -> [String] {
    try TypedArguments.refuseManyLetters(written)
    let hasValueOfOptionBefore = written.first.map { !$0.hasPrefix("-") } ?? false
    let words = TypedArguments(hasValueOfOptionBefore ? Array(written.dropFirst()) : written).words
    let scan = ArgumentScan(words, try OptionGrammar(of: Bounce.self))
    guard scan.unknown.isEmpty, scan.positionals.isEmpty else { return written }
    // The parser had accepted the line, so that each of these had a value.
    let incomplete = scan.withoutValue + [scan.open].compactMap { $0 }
    let complete = scan.options + incomplete.map { (argument: $0, value: Optional("bounce")) }
    return texts(complete) { _, value in value }
  }

  /// Options as they are typed, each value behind its option.
  private static func texts(
    _ options: [(argument: OptionGrammar.Argument, value: String?)],
    _ change: (OptionGrammar.Argument, String) -> String
  ) -> [String] {
    options.filter { passing.isDisjoint(with: $0.argument.names) }.flatMap { option in
      let name = option.argument.names.first { $0.hasPrefix("--") } ?? option.argument.names.first ?? ""
      guard let value = option.value.map({ change(option.argument, $0) }) else { return [name] }
      // The parser would take such a value for an option.
      return value.hasPrefix("-") ? ["\(name)=\(value)"] : [name, value]
    }
  }

  private static func absolute(_ path: String) -> String {
    path.isEmpty || path.hasPrefix("/") ? path : FileManager.default.currentDirectoryPath + "/" + path
  }
}
