import ArgumentParser

/// A page of a list that is shown whole without one.
struct PartOptions: ParsableArguments {
  @Option(
    parsing: .unconditional, help: ArgumentHelp("List at most this many. (default: all)", valueName: "n"),
    transform: Int.init(typed:))
  var limit: Int?

  @Option(
    parsing: .unconditional, help: ArgumentHelp("Which page of --limit lines, from 1.", valueName: "n"),
    transform: Int.init(typed:))
  var page: Int?

  var offset: Int { ((page ?? 1) - 1) * (limit ?? 0) }

  func validate() throws {
    guard (1...100_000).contains(limit ?? 1), (1...100_000).contains(page ?? 1) else {
      throw ValidationError("'--limit' and '--page' are whole numbers, 1 … 100000.")
    }
    if page != nil, limit == nil { throw ValidationError("'--page' needs '--limit', how many a page has.") }
  }
}
