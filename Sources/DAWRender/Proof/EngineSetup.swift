import DAWBounce
import DAWEngine
import DAWErrors
import DAWInstruments
import DAWMedia
import DAWModel
import DAWProject
import DAWTime
import Foundation
import Synchronization

/// Engine options that do not change the samples.
public struct EngineChoices: Sendable {
  /// Whether renders of instruments and of strips with effects are taken from the cache, and kept there.
  public var usesCache = true
  /// `nil`: the environment's `DAW_INSTRUCTIONS`, else the best that the processor has.
  public var instructions: String?

  public init() {}
}

/// The engine's side of one bounce: where the frames of instruments and effects come from, and which instructions
/// compute.
final class EngineSetup: Sendable {
  private let cacheFolder: Place?
  /// Bytes that the cache may hold when the bounce is over.
  let byteLimit: Int64
  let instructions: Instructions
  private let fonts = SoundFontPool()
  private let shared = Mutex(State())

  private struct State {
    var renders: [RenderCache] = []
    /// Those of them whose bounce is not over.
    var unfinished: [RenderCache] = []
    var plans: [RenderPlan] = []
    /// The first error thrown; the engine passes on its text only.
    var failure: InstrumentError?
  }

  /// - Parameter cacheFolder: where the media's copies are as well.
  /// - Throws: `Failure` for instructions or a size that cannot be read.
  init(_ request: BounceRequest, cacheFolder: Place) throws {
    let environment = ProcessInfo.processInfo.environment
    instructions = try Self.instructions(request.engine.instructions ?? environment["DAW_INSTRUCTIONS"])
    byteLimit = try CacheLimit.current(environment)
    // A render that starts in the middle is not reusable.
    self.cacheFolder = request.engine.usesCache && !request.beginsCold ? cacheFolder : nil
  }

  /// - Throws: `InstrumentError.libraryUnavailable`.
  func bouncer(for plan: RenderPlan) throws -> Bouncer {
    shared.withLock { $0.plans.append(plan) }
    guard let cacheFolder, byteLimit > 0, plan.hasMemory else { return Bouncer(makeProducer: makeInstrument) }
    let renders = RenderCache(
      of: plan, in: CacheFolder(cacheFolder).renders, byteLimit: byteLimit,
      renderer: plan.instruments.isEmpty ? "" : try InstrumentRenderer.description())
    shared.withLock { state in
      state.renders.append(renders)
      state.unfinished.append(renders)
    }
    return Bouncer(cache: renders, makeProducer: makeInstrument)
  }

  /// The `Failure` for an error of the bounce.
  func failure(_ error: any Error) -> any Error {
    if case BounceError.stream(.instrument) = error, let known = shared.withLock({ $0.failure }) {
      return Failure(known)
    }
    return error
  }

  /// When the bounce is over, one way or another. Stems are a bounce each: those that are over are not finished again.
  func finish() {
    let unfinished = shared.withLock { state in
      defer { state.unfinished = [] }
      return state.unfinished
    }
    for renders in unfinished { renders.finish() }
  }

  /// Of each instrument and each strip with effects that was asked for, whether its frames were there, and if not, why.
  func uses() -> [RenderUse] {
    let (renders, plans) = shared.withLock { ($0.renders, $0.plans) }
    guard !renders.isEmpty else { return plans.flatMap { RenderUse.withoutCache($0) } }
    return renders.flatMap { $0.outcomes() }
  }

  @Sendable private func makeInstrument(_ plan: InstrumentPlan) throws -> any StreamProducer {
    do throws(InstrumentError) {
      return try FluidSynthInstrument(plan: plan, fonts: fonts)
    } catch {
      shared.withLock { $0.failure = $0.failure ?? error }
      throw error
    }
  }

  private static func instructions(_ name: String?) throws -> Instructions {
    guard let name, !name.isEmpty else { return .best }
    guard let known = Instructions.allCases.first(where: { "\($0)" == name }) else {
      throw Failure(
        .usage, code: "unknownInstructionSet",
        "There are no vector instructions called '\(name)'. Nothing was written.",
        hint: "DAW_INSTRUCTIONS is one of \(Instructions.allCases.map { "\($0)" }.joined(separator: ", ")).")
    }
    return known
  }
}

/// What turns an instrument's events into frames.
enum InstrumentRenderer {
  /// Grows when our own part of it would give other frames.
  private static let version = 2

  /// Everything except the plan that the frames depend on, as text.
  /// - Throws: `InstrumentError.libraryUnavailable`.
  static func description() throws(InstrumentError) -> String {
    let machine = Machine.current
    return """
      \(version); fluidsynth \(try SoundFontLibrary.fluidSynthVersion()); \(MediaLibraries.soxrVersion); \
      libc \(machine.libc); \(machine.architecture) \(machine.processor)
      """
  }
}
