import DAWModel
import DAWProject
import DAWRender
import Foundation

extension BounceReport {
  /// The result as lines of text.
  var lines: [String] {
    let peak = peakLevel.isFinite ? String(format: "%.2f dBFS", peakLevel) : "silent"
    let speed = timesRealTime.isFinite ? String(format: ", %.0f × real time", timesRealTime) : ""
    let width = format.channelCount == 1 ? ", mono" : ""
    let stemLines = stems.map { "  " + ($0.path as NSString).lastPathComponent }
    let chapters = chapterCount > 0 ? ", \(counted(chapterCount, "chapter"))" : ""
    let sound =
      "\(Wording.time(duration)) of \(format)\(width) at \(format.sampleRate.hertz) Hz, peak \(peak), "
      + "pan law \(panLaw.rawValue)\(chapters)\(speed)"
    return [path ?? "standard output"] + stemLines + [sound, loudnessText].compactMap { $0 }
  }

  private var loudnessText: String? {
    guard let loudness else { return nil }
    let integrated = loudness.integrated.map { String(format: "%.1f LUFS", $0) } ?? "below -70 LUFS"
    let truePeak = loudness.truePeakLevel.isFinite ? String(format: "%.1f dBTP", loudness.truePeakLevel) : "silent"
    let gain = gainLevel.map { String(format: ", gain %+.2f dB", $0) } ?? ""
    return "loudness \(integrated), range \(String(format: "%.1f", loudness.range)) LU, true peak \(truePeak)\(gain)"
  }

  /// The result as JSON.
  var json: JSONObject {
    JSONObject([
      "path": path, "format": format.container.rawValue, "encoding": encodingName,
      "sampleRate": format.sampleRate.hertz, "channelCount": format.channelCount, "dither": format.dither.rawValue,
      "frames": frameCount, "duration": duration, "startTime": start.seconds, "startFlicks": start.flicks,
      "tailFrames": tailFrameCount, "peak": Level(decibels: peakLevel), "rms": Level(decibels: statistics.rmsLevel),
      "dcOffset": statistics.offsets,
      "firstAudibleFrame": statistics.firstAudibleFrame, "lastAudibleFrame": statistics.lastAudibleFrame,
      "loudness": loudness.map { Level(decibels: $0.integrated ?? -.infinity) }, "loudnessRange": loudness?.range,
      "maximumMomentary": loudness?.maximumMomentary, "maximumShortTerm": loudness?.maximumShortTerm,
      "truePeak": loudness.map { Level(decibels: $0.truePeakLevel) }, "gain": gainLevel,
      "clippedSamples": clippedSampleCount, "invalidSamples": invalidSampleCount, "panLaw": panLaw,
      "chapterCount": chapterCount, "revision": revision, "timesRealTime": timesRealTime,
      "renders": renders.map(\.json),
      "stems": stems.isEmpty ? nil : stems.map(\.json),
      "warnings": warnings, "problems": problems.map(\.rawValue),
    ])
  }

  private var encodingName: String {
    format.container.isLossy ? format.container.rawValue.lowercased() : format.encoding.rawValue
  }
}

extension StemReport {
  fileprivate var json: JSONObject {
    JSONObject([
      "track": track, "name": name, "path": path, "peak": Level(decibels: statistics.peakLevel),
      "dcOffset": statistics.offsets, "firstAudibleFrame": statistics.firstAudibleFrame,
      "lastAudibleFrame": statistics.lastAudibleFrame, "clippedSamples": clippedSampleCount,
    ])
  }
}
