import DAWEngine
import DAWModel

extension ChannelPick {
  /// `nil` if the file does not have the selected channels.
  init?(_ selection: ChannelSelection, of channelCount: Int) {
    guard selection.width(ofFileWith: channelCount) != nil else { return nil }
    switch selection {
    case .all: self = channelCount == 1 ? .one(0) : .two(0, 1)
    case .mix: self = .mean(0, 1)
    case .single(let channel): self = .one(channel)
    case .pair(let left, let right): self = .two(left, right)
    }
  }
}
