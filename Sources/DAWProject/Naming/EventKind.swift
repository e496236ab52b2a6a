import DAWModel

/// The names of event kinds in commands and JSON.
public enum EventKind: String, CaseIterable, Codable, Sendable {
  case controller, pitchBend, program, channelPressure, polyPressure, sysex, meta
}

extension EventKind {
  public init(_ kind: RegionEvent.Message.Kind) {
    self =
      switch kind {
      case .controller: .controller
      case .pitchBend: .pitchBend
      case .program: .program
      case .channelPressure: .channelPressure
      case .polyPressure: .polyPressure
      case .systemExclusive: .sysex
      case .meta: .meta
      }
  }

  public var modelKind: RegionEvent.Message.Kind {
    switch self {
    case .controller: .controller
    case .pitchBend: .pitchBend
    case .program: .program
    case .channelPressure: .channelPressure
    case .polyPressure: .polyPressure
    case .sysex: .systemExclusive
    case .meta: .meta
    }
  }
}
