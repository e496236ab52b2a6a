import DAWModel
import DAWSession
import Foundation

extension BounceReport {
  /// For a person.
  var text: String {
    let peak = peakLevel.isFinite ? String(format: "%.2f dBFS", peakLevel) : "silent"
    let speed = timesRealTime.isFinite ? String(format: ", %.0f × real time", timesRealTime) : ""
    return """
      \(path ?? "standard output")
      \(Wording.time(duration)) of \(format) at \(format.sampleRate.hertz) Hz, peak \(peak), \
      pan law \(panLaw.rawValue)\(speed)
      """
  }

  /// For a script.
  var json: JSONObject {
    JSONObject([
      "path": path, "format": format.container.rawValue, "encoding": format.encoding.rawValue,
      "sampleRate": format.sampleRate.hertz, "channelCount": format.channelCount, "frames": frameCount,
      "duration": duration, "startTime": start.seconds, "startFlicks": start.flicks,
      "peak": Level(decibels: peakLevel), "clippedSamples": clippedSampleCount, "invalidSamples": invalidSampleCount,
      "panLaw": panLaw, "revision": revision, "timesRealTime": timesRealTime, "renders": renders.map(\.json),
      "warnings": warnings,
    ])
  }
}
