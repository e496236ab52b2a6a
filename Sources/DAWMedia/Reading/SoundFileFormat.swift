import CSndFile

/// libsndfile's format code: container and encoding.
struct SoundFileFormat {
  let container: Int
  let content: Int

  init(code: Int32) {
    container = Int(code) & SF_FORMAT_TYPEMASK
    content = Int(code) & SF_FORMAT_SUBMASK
  }

  /// Whether seeking gives the same samples as decoding from the start. Lossy decoders carry state from earlier frames,
  /// which a seek loses.
  var seeksExactly: Bool {
    switch content {
    case SF_FORMAT_PCM_S8, SF_FORMAT_PCM_U8, SF_FORMAT_PCM_16, SF_FORMAT_PCM_24, SF_FORMAT_PCM_32, SF_FORMAT_FLOAT,
      SF_FORMAT_DOUBLE, SF_FORMAT_ULAW, SF_FORMAT_ALAW:
      true
    default: false
    }
  }

  /// Whether the header's number of frames is exact, not an estimate.
  var promisesExactly: Bool { seeksExactly }

  /// For display: "FLAC, 16-bit", "AIFF, 24-bit PCM", "MP3".
  var name: String {
    switch (container, content) {
    case (_, SF_FORMAT_MPEG_LAYER_III): "MP3"
    case (_, SF_FORMAT_VORBIS): "Ogg Vorbis"
    case (_, SF_FORMAT_OPUS): "Ogg Opus"
    case (SF_FORMAT_FLAC, _): "FLAC, \(contentName.prefix { $0 != " " })"
    default: "\(containerName), \(contentName)"
    }
  }

  private var containerName: String {
    switch container {
    case SF_FORMAT_WAV, SF_FORMAT_WAVEX: "WAV"
    case SF_FORMAT_RF64: "RF64"
    case SF_FORMAT_AIFF: "AIFF"
    case SF_FORMAT_AU: "AU"
    case SF_FORMAT_CAF: "CAF"
    case SF_FORMAT_W64: "W64"
    default: Self.libraryName(of: container)
    }
  }

  private var contentName: String {
    switch content {
    case SF_FORMAT_PCM_S8, SF_FORMAT_PCM_U8: "8-bit PCM"
    case SF_FORMAT_PCM_16: "16-bit PCM"
    case SF_FORMAT_PCM_24: "24-bit PCM"
    case SF_FORMAT_PCM_32: "32-bit PCM"
    case SF_FORMAT_FLOAT: "32-bit float"
    case SF_FORMAT_DOUBLE: "64-bit float"
    default: Self.libraryName(of: content)
    }
  }

  /// libsndfile's name: "VOC (Creative Labs)", "IMA ADPCM".
  private static func libraryName(of code: Int) -> String {
    var entry = SF_FORMAT_INFO(format: Int32(code), name: nil, extension: nil)
    let size = Int32(MemoryLayout<SF_FORMAT_INFO>.size)
    guard sf_command(nil, Int32(SFC_GET_FORMAT_INFO), &entry, size) == 0, let name = entry.name else {
      return "format \(code)"
    }
    return String(cString: name)
  }
}
