import ArgumentParser
import DAWModel
import DAWProject

/// The settings of an effect that `add-effect` and `set-effect` share.
struct EffectOptions: ParsableArguments {
  @Argument(
    help: ArgumentHelp("Parameters: band2.gain=-3, ratio=4, time=1/8d.", valueName: "name=value"),
    transform: TypedSetting.init(typed:))
  var settings: [TypedSetting] = []

  @Option(
    name: .customLong("set"),
    help: ArgumentHelp("A parameter, given as an option; may be repeated.", valueName: "name=value"),
    transform: TypedSetting.init(typed:))
  var setSettings: [TypedSetting] = []

  @Option(
    help: ArgumentHelp(
      "Take all parameters from a preset; those that are set too come after it.", valueName: "effect-preset"))
  var preset: String?

  @Option(help: ArgumentHelp("The strip that controls a compressor or gate, or none.", valueName: "track"))
  var key: String?

  @Flag(help: "Put it before the fader.")
  var pre = false

  @Flag(help: "Put it behind the fader.")
  var post = false

  @Flag(inversion: .prefixedNo, exclusivity: .exclusive, help: "Pass the sound through unchanged.")
  var bypass: Bool?

  @Flag(help: "Take it out, with its latency.")
  var off = false

  @Flag(help: "Put it back.")
  var on = false

  var change: EffectChange {
    var change = EffectChange()
    change.preset = preset
    change.settings = (settings + setSettings).map(\.text)
    change.key = key
    change.isPostFader = pre ? false : post ? true : nil
    change.isBypassed = bypass
    change.isOff = on ? false : off ? true : nil
    return change
  }

  func validate() throws {
    if pre, post { throw Exclusion.error("'--pre' and '--post' exclude each other.") }
    if on, off { throw Exclusion.error("'--on' and '--off' exclude each other.") }
  }
}

/// `NAME=VALUE`. What it means depends on the effect.
struct TypedSetting {
  let text: String

  init(typed text: String) throws {
    guard let equals = text.firstIndex(of: "="), equals > text.startIndex,
      text.index(after: equals) < text.endIndex
    else { throw Unreadable(text, "a setting is NAME=VALUE, such as band2.gain=-3.") }
    self.text = text
  }
}

extension EffectKind {
  init(typed text: String) throws {
    let name = text.lowercased()
    if let kind = EffectKind(rawValue: name) ?? Self.others[name] {
      self = kind
    } else {
      let near = nearest(to: name, among: Self.allCases.map(\.rawValue))
      let question = near.isEmpty ? "" : " Did you mean '\(near[0])'?"
      throw Unreadable(text, "an effect is \(Self.allCases.map(\.rawValue).joined(separator: ", ")).\(question)")
    }
  }

  /// Other words for kinds.
  private static let others: [String: EffectKind] = [
    "equalizer": .eq, "equaliser": .eq, "comp": .compressor, "noisegate": .gate, "expander": .gate, "echo": .delay,
  ]
}
