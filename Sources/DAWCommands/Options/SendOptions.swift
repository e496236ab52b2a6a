import ArgumentParser
import DAWModel

/// The settings of a send that `add-send` and `set-send` share.
struct SendOptions: ParsableArguments {
  @Option(
    parsing: .unconditional, help: ArgumentHelp("Its level: -60 to 12, or -inf.", valueName: "dB"),
    transform: Level.init(typed:))
  var level: Level?

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp("From -1 (left) to 1 (right), or strip for the track's own.", valueName: "position"),
    completion: .list(["strip"]), transform: SendPan.init(typed:))
  var pan: SendPan?

  @Flag(help: "Take the signal before the track's fader.")
  var pre = false

  @Flag(help: "Take the signal behind the track's fader.")
  var post = false

  @Flag(inversion: .prefixedNo, exclusivity: .exclusive, help: "Silence it.")
  var mute: Bool?

  var isEmpty: Bool { change.isEmpty }

  /// The parameters that are set and that a lane can move.
  var lanes: [String?] {
    [
      level == nil ? nil : "level", pan == nil ? nil : "pan", mute == nil ? nil : "mute",
    ]
  }

  var change: Change<Send> {
    var change = Change<Send>()
    change.set(\.level, to: level)
    change.set(\.pan, to: pan.map { Pan??.some($0.pan) } ?? nil)
    change.set(\.isPreFader, to: pre ? true : post ? false : nil)
    change.set(\.isMuted, to: mute)
    return change
  }

  func validate() throws {
    if pre, post { throw Exclusion.error("'--pre' and '--post' exclude each other.") }
  }
}

/// The pan of a send as it is typed.
struct SendPan {
  /// `nil`: the track's own.
  var pan: Pan?

  init(typed text: String) throws {
    if text.lowercased() == "strip" {
      pan = nil
    } else {
      do { pan = try Pan(typed: text) } catch {
        throw Unreadable(text, "a send's pan is a number from -1 (left) to 1 (right), or strip for the track's own.")
      }
    }
  }
}
