import DAWInterchange
import DAWModel
import DAWProject
import DAWTime

/// Text for people of values and results. Scripts read the JSON instead.
enum Wording {
  /// "0:04.250": minutes, seconds, milliseconds; hours where there are any.
  static func time(_ seconds: Double) -> String { FlickPosition(seconds: seconds)?.clock() ?? "\(seconds) s" }

  /// "2026-11-21 08:00:00 UTC", of a date as it stands in JSON.
  static func date(_ iso8601: String) -> String { "\(iso8601.prefix(10)) \(iso8601.prefix(19).dropFirst(11)) UTC" }

  /// "-3 dB", "12.5 s": without a needless ".0".
  static func number(_ value: Double) -> String {
    value == value.rounded() && abs(value) < 1e15 ? String(Int64(value)) : String(value)
  }

  /// "3 ms", "1.5 s"
  static func duration(_ seconds: Double) -> String {
    seconds < 1 ? "\(number((seconds * 1e5).rounded() / 100)) ms" : "\(number((seconds * 1e3).rounded() / 1e3)) s"
  }

  /// "mono", "stereo"; nothing where it is not known yet.
  static func width(_ channelCount: Int?) -> String {
    switch channelCount {
    case 1: "mono"
    case 2: "stereo"
    case let count?: "\(count) channels"
    case nil: ""
    }
  }

  /// "audio, stereo, -3 dB, pan 0.5, muted": what differs from what is usual.
  /// - Parameter presets: what SoundFonts call their programs.
  static func settings(_ track: TrackDocument, _ presets: PresetNames = PresetNames()) -> String {
    var words = [track.trackType.rawValue]
    if track.trackType == .audio { words.append(width(track.channelCount)) }
    words += strip(track)
    if track.volume != .unity { words.append(track.volume.description) }
    if track.pan != .centre { words.append("pan \(track.pan)") }
    if let instrument = track.instrument {
      let name = presets[instrument.soundFont ?? "", bank: instrument.bank, program: instrument.program]
      let bank = instrument.bank == 0 ? "" : " of bank \(instrument.bank)"
      words.append("program \(instrument.program)\(bank)" + (name.map { " (\($0))" } ?? ""))
      if instrument.gain != .unity { words.append("instrument \(instrument.gain)") }
      if instrument.reverb.isOn { words.append("reverb") }
      if instrument.chorus.isOn { words.append("chorus") }
    }
    if track.overlap == .crossfade { words.append("crossfades") }
    if let output = track.midiOutput { words.append("sent to \(output)") }
    if track.isMuted { words.append("muted") }
    if track.isSolo { words.append("solo") }
    if track.isSoloSafe { words.append("solo-safe") }
    if track.isRecordEnabled { words.append("armed") }
    return words.filter { !$0.isEmpty }.joined(separator: ", ")
  }

  /// "from system:capture_1, monitor off, record offset -12f": what the track records, and how.
  static func inputs(of track: TrackDocument) -> [String] {
    var words: [String] = []
    let ports = [track.row.input1, track.row.input2, track.row.midiInput].compactMap(\.self)
    if !ports.isEmpty { words.append("from \(ports.joined(separator: " and "))") }
    if track.row.monitor != .auto { words.append("monitor \(track.row.monitor.rawValue)") }
    if track.row.recordOffset != .zero { words.append("record offset \(track.row.recordOffset)") }
    return words
  }

  /// What a region holds: "loop.flac from 0:01.000", "12 notes".
  static func content(_ region: RegionDocument) -> String {
    var words = region.row.isInUse ? [] : ["not in use"]
    if let file = region.audioFile {
      let offset = region.audioOffset ?? 0
      let path = file.hasPrefix("Audio/") ? String(file.dropFirst("Audio/".count)) : file
      words.append(path + (offset == 0 ? "" : " from \(time(offset))"))
      if let channels = region.channels, channels != .all { words.append("channel \(channels)") }
    } else {
      words.append(counted(region.notes?.count ?? 0, "note"))
      let eventCount = region.events?.count ?? 0
      if eventCount > 0 { words.append(counted(eventCount, "event")) }
    }
    if region.isReversed == true { words.append("reversed") }
    if region.gain != .unity { words.append(region.gain.description) }
    for (fade, title) in [(region.row.fadeIn, "fade in"), (region.row.fadeOut, "fade out")] where fade != .none {
      words.append("\(title) \(duration(fade.visibleLength.seconds))")
    }
    if region.isMuted { words.append("muted") }
    return words.joined(separator: ", ")
  }
}

extension Wording {
  /// "1.5 MB": bytes in decimal units.
  static func size(_ byteCount: Int64) -> String {
    let units = [byteCount == 1 ? "byte" : "bytes", "kB", "MB", "GB", "TB"]
    var value = Double(byteCount)
    var unit = 0
    // 999,960 bytes are "1 MB", not "1000 kB".
    while value >= 999.95, unit < units.count - 1 {
      value /= 1000
      unit += 1
    }
    return number((value * 10).rounded() / 10) + " " + units[unit]
  }

  /// Where a region begins: "0:04.000 (3.1.0)".
  static func place(_ entry: RegionEntry) -> String { "\(time(entry.region.startTime)) (\(entry.start))" }

  /// Where a region lies: "0:04.000 (3.1.0) to 0:08.000".
  static func span(_ entry: RegionEntry) -> String {
    "\(place(entry)) to \(time(entry.region.startTime + entry.region.duration))"
  }
}
