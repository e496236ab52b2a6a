/// The channels of its file that an audio region plays.
public enum ChannelSelection: Hashable, Sendable {
  /// Both channels of a stereo file, or the one of a mono file.
  case all
  /// The mean of a stereo file's two channels, as one channel.
  case mix
  /// One channel, counted from 0.
  case single(Int)
  /// Two channels, counted from 0, played left and right.
  case pair(Int, Int)

  public static let left = ChannelSelection.single(0)
  public static let right = ChannelSelection.single(1)

  /// The number of channels selected from a file with `channelCount` channels; `nil` if the selection does not fit the
  /// file.
  public func width(ofFileWith channelCount: Int) -> Int? {
    switch self {
    case .all: (1...2).contains(channelCount) ? channelCount : nil
    case .mix: channelCount == 2 ? 1 : nil
    case .single(let channel): (0..<channelCount).contains(channel) ? 1 : nil
    case .pair(let left, let right):
      (0..<channelCount).contains(left) && (0..<channelCount).contains(right) ? 2 : nil
    }
  }
}

/// `all`, `mix`, `left`, `right`, or channels counted from 1: `3`, `3,4`.
extension ChannelSelection: LosslessStringConvertible {
  public init?(_ description: String) {
    switch description {
    case "all": self = .all
    case "mix": self = .mix
    case "left": self = .left
    case "right": self = .right
    default:
      let fields = description.split(separator: ",", omittingEmptySubsequences: false)
      let channels = fields.compactMap { field in
        field.allSatisfy(\.isASCIIDigit) ? Int(field).flatMap { (1...1024).contains($0) ? $0 - 1 : nil } : nil
      }
      switch (channels.count, fields.count) {
      case (1, 1): self = .single(channels[0])
      case (2, 2): self = .pair(channels[0], channels[1])
      default: return nil
      }
    }
  }

  public var description: String {
    switch self {
    case .all: "all"
    case .mix: "mix"
    case .left: "left"
    case .right: "right"
    case .single(let channel): "\(channel + 1)"
    case .pair(let left, let right): "\(left + 1),\(right + 1)"
    }
  }
}

extension Character {
  fileprivate var isASCIIDigit: Bool { isASCII && isWholeNumber }
}
