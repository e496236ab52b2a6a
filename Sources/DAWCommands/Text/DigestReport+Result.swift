import DAWRender

extension DigestReport {
  /// The result as JSON.
  var json: JSONObject {
    JSONObject([
      "sha256": sha256, "frames": frameCount, "sampleRate": sampleRate.hertz, "revision": revision,
      "isVerified": isVerified, "renders": renders.map(\.json), "warnings": warnings,
    ])
  }
}

extension TrackRender {
  /// The result as one line of text.
  var text: String { "\(title): \(isTaken ? "taken" : "rendered"), \(reason)" }

  var json: JSONObject {
    JSONObject([
      "track": track, "name": name, "stage": stage, "isTaken": isTaken, "reason": code,
      "changed": changed.isEmpty ? nil : changed,
    ])
  }
}
