import ArgumentParser

/// The output options that every command has.
struct OutputOptions: ParsableArguments {
  @Flag(help: "Print the result as one JSON value; errors too.")
  var json = false

  @Flag(name: .shortAndLong, help: "Print only the id or the path of what was made.")
  var quiet = false

  var form: OutputForm { json ? .json : quiet ? .quiet : .text }

  func validate() throws {
    if json, quiet { throw ValidationError("'--json' and '--quiet' exclude each other.") }
  }
}
