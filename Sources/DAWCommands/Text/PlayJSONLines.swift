import DAWInterchange
import DAWPlay
import DAWProject

/// Prints each event as one line of JSON when it happens, and the position once a second.
final class PlayJSONLines: PlayDisplay {
  private var nextPosition = ContinuousClock.now

  func show(_ event: PlayEvent) {
    if case .position = event {
      guard ContinuousClock.now >= nextPosition else { return }
      nextPosition = .now + .seconds(1)
    }
    try? JSONWriter.write(event.json, .oneLine, to: Console.write(json:))
  }

  func finish() {}
}

extension PlayEvent {
  /// The key `event` has the event's name; the other keys depend on it.
  fileprivate var json: JSONObject {
    switch self {
    case .opened(let opening): Self.object("opened", opening.json)
    case .reconnected(let opening): Self.object("reconnected", opening.json)
    case .resumed(let opening): Self.object("resumed", opening.json)
    case .transport(let status): Self.object("transport", ["status": status])
    case .position(let status): Self.object("position", ["status": status])
    case .edited(let edit):
      Self.object(
        "edited",
        [
          "revision": edit.revision, "summary": edit.summary, "author": edit.author, "count": edit.count,
          "delay": edit.delay,
        ])
    case .replaced(let revision): Self.object("replaced", ["revision": revision])
    case .problem(let failure):
      Self.object("problem", ["code": failure.code, "message": failure.message, "hint": failure.hint])
    case .recovered: Self.object("recovered", [:])
    case .fileRecovered(let path): Self.object("recovered", ["path": path])
    case .xruns(let count): Self.object("xruns", ["count": count])
    case .late(let frames): Self.object("late", ["frames": frames])
    case .bufferSize(let frames): Self.object("bufferSize", ["frames": frames])
    case .latency(let frames): Self.object("latency", ["frames": frames])
    case .freewheel(let isOn): Self.object("freewheel", ["isOn": isOn])
    case .connections(let isHeard): Self.object("connections", ["isHeard": isHeard])
    case .serverLost(let isTriedAgain): Self.object("serverLost", ["isTriedAgain": isTriedAgain])
    case .recordingBegan(let folder, let tracks):
      Self.object("recordingBegan", ["folder": folder, "tracks": tracks])
    case .gap(let cause, let frames): Self.object("gap", ["cause": cause.rawValue, "frames": frames])
    case .recordingResumed(let track): Self.object("recordingResumed", ["track": track])
    case .recordingSpills(let track, let folder):
      Self.object("recordingSpills", ["track": track, "folder": folder])
    case .recorded(let takes): JSONObject(["event": "recorded"]).merging(takes.json)
    case .ended(let end): Self.object("ended", ["reason": end.rawValue])
    }
  }

  private static func object(_ name: String, _ members: [String: (any JSONWritable)?]) -> JSONObject {
    JSONObject(["event": name]).merging(JSONObject(members))
  }
}

extension PlayOpening {
  fileprivate var json: [String: (any JSONWritable)?] {
    [
      "clientName": clientName, "sampleRate": sampleRate, "bufferSize": bufferSize, "connectedPorts": connectedPorts,
      "revision": revision, "memoryProblem": memoryProblem, "isRealtime": isRealtime,
    ]
  }
}

extension RecordedTakes {
  var json: JSONObject {
    JSONObject([
      "recording": recording, "folder": folder, "seconds": seconds, "gapCount": gapCount, "gapFrames": gapFrames,
      "revision": revision, "isCancelled": isCancelled, "missing": missing, "problems": problems,
      "takes": takes.map {
        JSONObject(["name": $0.name, "track": $0.track, "isInUse": $0.isInUse, "formerTrack": $0.formerTrack])
      },
    ])
  }
}
