import ArgumentParser

/// Which part of a long list is shown.
struct PageOptions: ParsableArguments {
  @Option(
    parsing: .unconditional, help: ArgumentHelp("List at most this many.", valueName: "n"),
    transform: Int.init(typed:))
  var limit = 50

  @Option(
    parsing: .unconditional, help: ArgumentHelp("Which page of --limit lines, from 1.", valueName: "n"),
    transform: Int.init(typed:))
  var page = 1

  var offset: Int { (page - 1) * limit }

  func validate() throws {
    guard (1...100_000).contains(limit), (1...100_000).contains(page) else {
      throw ValidationError("'--limit' and '--page' are whole numbers, 1 … 100000.")
    }
  }
}
