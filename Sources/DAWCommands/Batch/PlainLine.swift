import ArgumentParser

/// A command whose plain lines in a batch are read without ArgumentParser, which learns the command's options anew for
/// each line: a quarter of a millisecond. Every other line, and every error, is left to the parser.
protocol PlainlyTyped: EditCommand {
  /// The arguments without a name; each is required, and accepts "0".
  static var plainArguments: [PlainAssignment<Self>] { get }
  /// The options with one value, by their names.
  static var plainOptions: [String: PlainAssignment<Self>] { get }
}

/// Reads a word and assigns it.
typealias PlainAssignment<Command> = @Sendable (inout Command, String) throws -> Void

/// A `PlainLineReader` of a command that is known only at run time.
protocol LineReader {
  /// - Returns: `nil` for a line that is not plain, or not accepted.
  func command(_ words: [String]) -> (any EditCommand)?
}

extension PlainlyTyped {
  static func plainLineReader() -> (any LineReader)? { PlainLineReader<Self>() }
}

/// Reads plain lines of one command: only arguments, and options of one value, each at most once, none beginning with a
/// hyphen. The parser gives the same command for each.
struct PlainLineReader<Command: PlainlyTyped>: LineReader {
  private let arguments = Command.plainArguments
  private let options = Command.plainOptions
  /// Has no option.
  private let template: Command

  init?() {
    let words = Command.plainArguments.map { _ in "0" }
    guard let template = try? Command.parseAsRoot(words) as? Command else { return nil }
    self.template = template
  }

  func command(_ words: [String]) -> (any EditCommand)? {
    var command = template
    var place = 0
    var names: [String] = []
    var index = 0
    do {
      while index < words.count {
        let word = words[index]
        if !word.utf8.starts(with: [UInt8(ascii: "-")]) {
          guard place < arguments.count else { return nil }
          try arguments[place](&command, word)
          place += 1
        } else {
          index += 1
          guard let assign = options[word], !names.contains(word), index < words.count,
            !words[index].utf8.starts(with: [UInt8(ascii: "-")])
          else { return nil }
          try assign(&command, words[index])
          names.append(word)
        }
        index += 1
      }
      guard place == arguments.count else { return nil }
      try command.validate()
      return command
    } catch {
      return nil
    }
  }
}
