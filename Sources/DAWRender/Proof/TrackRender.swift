import DAWBounce
import DAWModel

/// How the frames of a track's instrument, or of its strip with effects, were obtained in a bounce.
public struct TrackRender: Equatable, Sendable {
  public var track: TrackID
  public var name: String
  /// One word for scripts: `instrument`, `effects`, `postFaderEffects`.
  public var stage: String
  /// What a person calls it.
  public var title: String
  /// Whether its frames were in the cache.
  public var isTaken: Bool
  /// One word for scripts: `cached`, `cacheDisabled`, `notCached`, `changed`, `tooShort`, `damaged`,
  /// `cheap`.
  public var code: String
  /// What has changed, in words for scripts.
  public var changed: [String]
  /// Why, for a person.
  public var reason: String
}

extension TrackRender {
  init(_ use: RenderUse, track: TrackID, name: String) {
    self.track = track
    self.name = name
    switch use.kind {
    case .instrument: (stage, title) = ("instrument", name)
    case .strip: (stage, title) = ("effects", "\(name), effects")
    case .postFader: (stage, title) = ("postFaderEffects", "\(name), effects behind the fader")
    }
    isTaken = use.outcome == .reused
    changed = []
    switch use.outcome {
    case .reused: (code, reason) = ("cached", "nothing that it depends on has changed")
    case .rendered(.cacheIsOff): (code, reason) = ("cacheDisabled", "the cache was not used")
    case .rendered(.notCached): (code, reason) = ("notCached", "the cache holds no render of it")
    case .rendered(.tooShort):
      (code, reason) = ("tooShort", "the render that was kept ends earlier, while it still sounds")
    case .rendered(.cheap): (code, reason) = ("cheap", "that takes no longer than to read it")
    case .rendered(.damaged): (code, reason) = ("damaged", "the render that was kept was damaged")
    case .rendered(.changed(let parts)):
      let ordered = RenderPart.allCases.filter(parts.contains)
      changed = ordered.map(\.rawValue)
      (code, reason) = ("changed", "changed: " + ordered.map(\.noun).joined(separator: ", "))
    }
  }
}

extension RenderPart {
  fileprivate var noun: String {
    switch self {
    case .soundFont: "the SoundFont"
    case .preset: "its bank or program"
    case .sampleRate: "the sample rate"
    case .events: "its notes or where they lie"
    case .effects: "its gain, reverb or chorus"
    case .renderer: "the program that renders it, or the processor"
    case .regions: "regions or their files"
    case .instruments: "an instrument"
    case .stripEffects: "effects"
    case .mixing: "gains, pans or connections before them"
    }
  }
}
