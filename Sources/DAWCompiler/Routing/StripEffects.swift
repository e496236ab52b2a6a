import DAWEngine

/// The effects of a strip, in their order.
struct StripEffects {
  struct Use {
    var insert: PlannedInsert
    /// The strip that its side chain listens to.
    var key: Int?
    /// Whether that strip is not muted; else the side chain is silent.
    var isKeyOpen = true
  }

  var preFader: [Use] = []
  var postFader: [Use] = []
  /// How many of those before the fader run before a mono strip becomes stereo, for one that needs it; `nil` if none
  /// does. A bypassed one counts, though it is left out: else a bypass would change how the strip is panned.
  var widening: Int?
  /// Whether there are any behind the fader, those included that are bypassed and left out: what is sent from there is
  /// panned by the fader, and by the send on top.
  var hasPostFader = false

  /// Of the master in a stem: whether the signal is taken before its effects, and so before its fader.
  var endsBeforeFader = false

  static let none = StripEffects()

  /// The strips that have to be processed for the side chains.
  var keys: [Int] { (preFader + postFader).filter(\.isKeyOpen).compactMap(\.key) }

  /// The width behind those before the fader.
  func width(from width: ChannelWidth) -> ChannelWidth { widening == nil ? width : .stereo }
}
