import ArgumentParser

/// The maximum number of lines of a listing.
struct LimitOptions: ParsableArguments {
  @Option(
    parsing: .unconditional, help: ArgumentHelp("List at most this many, the earliest first.", valueName: "n"),
    transform: Int.init(typed:))
  var limit: Int?

  func validate() throws {
    if let limit, limit < 1 { throw ValidationError("'--limit' is a whole number from 1.") }
  }
}
