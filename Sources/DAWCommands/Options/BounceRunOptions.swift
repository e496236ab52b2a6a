import ArgumentParser
import DAWRender

/// The engine options of `bounce`, and the problems it allows.
struct BounceRunOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      """
      Bounce all the same: empty, silent, missing or changed; or leave out the warning clipped, tail, external or \
      quiet; may be repeated.
      """, valueName: "name"),
    completion: .list(BounceProblem.allCases.map(\.rawValue)))
  var allow: [String] = []

  @OptionGroup var engine: EngineRunOptions

  func apply(to request: inout BounceRequest) throws {
    request.allowed = Set(try allow.map(BounceFormat.problem))
    engine.apply(to: &request)
  }

  func validate() throws { try BounceFormat.readable { _ = try allow.map(BounceFormat.problem) } }
}

/// How the engine renders.
struct EngineRunOptions: ParsableArguments {
  @Option(
    parsing: .unconditional,
    help: ArgumentHelp("Frames rendered at a time, 1 to 65536. Changes no bit of the result.", valueName: "frames"),
    transform: Int.init(typed:))
  var block: Int?

  @Option(
    parsing: .unconditional, help: ArgumentHelp("Threads that render. Changes no bit of the result.", valueName: "n"),
    transform: Int.init(typed:))
  var threads: Int?

  func apply(to request: inout BounceRequest) {
    if let block { request.blockFrames = block }
    request.threadCount = threads
  }

  func validate() throws {
    if let block, !(1...65_536).contains(block) { throw ValidationError("'--block' is 1 … 65536 frames.") }
    if let threads, !(1...256).contains(threads) { throw ValidationError("'--threads' is 1 … 256.") }
  }
}
