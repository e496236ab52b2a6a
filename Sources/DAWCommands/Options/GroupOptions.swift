import ArgumentParser
import DAWModel

/// The settings of a group that `add-group` and `set-group` share.
struct GroupOptions: ParsableArguments {
  @Option(
    parsing: .unconditional,
    help: ArgumentHelp("Added to the volumes of its tracks: -60 to 12, or -inf.", valueName: "dB"),
    transform: Level.init(typed:))
  var volume: Level?

  @Flag(inversion: .prefixedNo, exclusivity: .exclusive, help: "Silence its tracks.")
  var mute: Bool?

  @Flag(inversion: .prefixedNo, exclusivity: .exclusive, help: "Hear only its tracks, and others that are soloed.")
  var solo: Bool?

  /// The parameters that are set and that a lane can move.
  var lanes: [String?] {
    [
      volume == nil ? nil : "volume", mute == nil ? nil : "mute",
    ]
  }

  var change: Change<TrackGroup> {
    var change = Change<TrackGroup>()
    change.set(\.volume, to: volume)
    change.set(\.isMuted, to: mute)
    change.set(\.isSolo, to: solo)
    return change
  }
}
