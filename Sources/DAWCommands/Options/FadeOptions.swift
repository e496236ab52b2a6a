import ArgumentParser
import DAWModel
import DAWProject

/// The fades of an audio region.
struct FadeOptions: ParsableArguments {
  @Option(
    parsing: .unconditional,
    help: ArgumentHelp("How long an audio region rises from silence: 20ms, 1b; 0s for no fade.", valueName: "distance"),
    transform: TypedDistance.init(typed:))
  var fadeIn: TypedDistance?

  @Option(
    help: ArgumentHelp("How it rises: linear, equalPower, exponential or sCurve.", valueName: "shape"),
    completion: shapes, transform: Fade.Shape.init(typed:))
  var fadeInShape: Fade.Shape?

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp("How long it falls to silence before its end: 20ms, 1b; 0s for no fade.", valueName: "distance"),
    transform: TypedDistance.init(typed:))
  var fadeOut: TypedDistance?

  @Option(
    help: ArgumentHelp("How it falls, the shape read from its end.", valueName: "shape"),
    completion: shapes, transform: Fade.Shape.init(typed:))
  var fadeOutShape: Fade.Shape?

  private static let shapes = CompletionKind.list(Fade.Shape.allCases.map(\.rawValue))

  var isEmpty: Bool { fadeIn == nil && fadeInShape == nil && fadeOut == nil && fadeOutShape == nil }

  func changes(in timeline: Timeline) -> FadeChanges {
    FadeChanges(
      fadeIn: FadeChange(length: fadeIn?.expression(in: timeline), shape: fadeInShape),
      fadeOut: FadeChange(length: fadeOut?.expression(in: timeline), shape: fadeOutShape))
  }
}
