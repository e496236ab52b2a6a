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

  static let none = StripEffects()

  /// The strips that have to be processed for the side chains.
  var keys: [Int] { (preFader + postFader).filter(\.isKeyOpen).compactMap(\.key) }

  /// The width behind those before the fader.
  func width(from width: ChannelWidth) -> ChannelWidth {
    preFader.contains { $0.insert.setup.kind.needsStereo } ? .stereo : width
  }
}
