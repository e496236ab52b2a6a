/// Whether an instrument's frames were there already, and if not, why.
public enum RenderOutcome: Hashable, Sendable {
  case taken
  case rendered(Reason)

  public enum Reason: Hashable, Sendable {
    /// The cache is not used in this bounce.
    case cacheIsOff
    /// No render of the track is kept.
    case nothingKept
    /// The newest render that is kept of the track was made of something else.
    case changed(Set<RenderPart>)
    /// What is kept ends earlier, while it still sounds.
    case tooShort
    /// What is kept is not as it was written.
    case damaged
  }
}
