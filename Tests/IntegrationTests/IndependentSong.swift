import Foundation

/// What a mix depends on, from the JSON of `daw show`.
struct IndependentSong: Decodable {
  var sampleRate: Int
  var panLaw: String
  /// The master last.
  var tracks: [Strip]
  var groups: [Group]

  struct Strip: Decodable {
    var name: String
    var trackType: String
    var channelCount: Int?
    var volume: Decibels
    var pan: Double
    var isMuted: Bool
    var isSolo: Bool
    var overlap: String
    var trim: Decibels
    var invertedSides: String
    var stereoWidth: Double
    var isSoloSafe: Bool
    /// The name of a bus; `nil`: the master.
    var outputBus: String?
    var isOutputConnected: Bool
    var sends: [Tap]
    var regions: [Span]

    var isMono: Bool { trackType == "audio" && channelCount != 2 }
  }

  /// A send.
  struct Tap: Decodable {
    var bus: String
    var level: Decibels
    var pan: Double?
    var isPreFader: Bool
    var isMuted: Bool
  }

  struct Group: Decodable {
    var volume: Decibels
    var isMuted: Bool
    var isSolo: Bool
    var members: [Member]
  }

  struct Member: Decodable {
    var track: String
  }

  struct Ramp: Decodable {
    var durationFlicks: Int64
    var cutFlicks: Int64
    var shape: String
  }

  struct Span: Decodable {
    var startFlicks: Int64?
    var startTime: Double
    var durationFlicks: Int64?
    var audioOffsetFlicks: Int64?
    var audioFile: String?
    var channels: String?
    var gain: Decibels
    var isMuted: Bool
    var fadeIn: Ramp?
    var fadeOut: Ramp?
    var id: String
  }

  struct Decibels: Decodable {
    /// Linear.
    var gain: Double

    init(from decoder: any Decoder) throws {
      let container = try decoder.singleValueContainer()
      if let value = try? container.decode(Double.self) {
        gain = value == 0 ? 1 : Foundation.pow(10, value / 20)
      } else {
        gain = 0
      }
    }
  }
}
