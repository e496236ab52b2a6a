import DAWModel

/// What a mix depends on, as `daw show --json --notes` prints it and `daw new --from` reads it.
struct IndependentSong: Codable {
  var sampleRate = 48_000
  var panLaw = "constantPowerMinus3dB"
  /// At the start.
  var tempo = 120.0
  var tempoMap = TempoMap()
  var audioFiles: [AudioFile] = []
  /// The master last.
  var tracks: [Strip] = []
  var groups: [Group] = []

  struct TempoMap: Codable {
    var tempos: [Tempo] = []
  }

  struct Tempo: Codable {
    var startTicks: Int64
    var bpm: Double
    var isRamp: Bool
  }

  struct AudioFile: Codable {
    var path: String
    var sha256: String
    var frames: Int
    var sampleRate: Int
    var channelCount: Int
  }

  // MARK: Regions

  struct Span: Codable {
    /// Of a song that is not made yet, none.
    var id: String?
    var regionType = "audio"
    var audioFile: String?
    var startFlicks: Int64?
    var durationFlicks: Int64?
    var audioOffsetFlicks: Int64?
    var channels: String? = "all"
    var gain = Decibels(value: 0)
    var isMuted = false
    var fadeIn: Ramp?
    var fadeOut: Ramp?
  }

  struct Ramp: Codable {
    var durationFlicks: Int64
    var cutFlicks: Int64
    var shape: String
  }

  // MARK: Mixer

  struct Strip: Codable {
    var name: String
    var trackType: String
    var channelCount: Int? = 2
    var volume = Decibels(value: 0)
    var pan = 0.0
    var isMuted = false
    var isSolo = false
    var overlap = "sum"
    var trim = Decibels(value: 0)
    var invertedSides = "none"
    var stereoWidth = 1.0
    var isSoloSafe = false
    /// The name of a bus; `nil`: the master.
    var outputBus: String?
    var isOutputConnected = true
    var sends: [Tap] = []
    var effects: [Effect] = []
    var regions: [Span] = []
    var lanes: [Lane]? = []

    /// Without its effects.
    var isMono: Bool { trackType == "audio" && channelCount != 2 }
  }

  /// A send.
  struct Tap: Codable {
    var bus: String
    var level = Decibels(value: 0)
    var pan: Double?
    var isPreFader = false
    var isMuted = false
    var lanes: [Lane]? = []
  }

  struct Group: Codable {
    var name: String
    var volume = Decibels(value: 0)
    var isMuted = false
    var isSolo = false
    var members: [Member] = []
    var lanes: [Lane]? = []
  }

  struct Member: Codable {
    var track: String
  }

  // MARK: Automation and effects

  struct Lane: Codable {
    var parameter: String
    /// `musical` or `absolute`: which of both positions its points have.
    var timeBase: String
    var isRead = true
    var points: [Point] = []
  }

  struct Point: Codable {
    var startTicks: Int64?
    var startFlicks: Int64?
    var value: Decibels
    var shape: LaneShape
  }

  struct Effect: Codable {
    var kind: String
    var isPostFader = false
    var isBypassed = false
    var isOff = false
    /// The name of a track.
    var key: String?
    var settings: [Setting] = []
    var lanes: [Lane]? = []
  }

  struct Setting: Codable {
    var parameter: String
    var value: Value
  }
}

extension LaneShape: Codable {}
