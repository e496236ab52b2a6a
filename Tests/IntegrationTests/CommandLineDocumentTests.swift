import DAWTestSupport
import Foundation
import Testing

@Suite("The project as JSON")
struct CommandLineDocumentTests {
  /// Where each stored column stands in the JSON, from the object of its table's kind.
  private static let places: [String: [String: [String]]] = [
    "project": [
      "id": ["id"], "uuid": ["id"], "createdDate": ["createdDate"], "name": ["name"], "tempo": ["tempo"],
      "meterNumerator": ["timeSignature"], "meterDenominator": ["timeSignature"], "sampleRate": ["sampleRate"],
      "panLaw": ["panLaw"], "isTempoRamp": ["tempoMap", "tempos"],
      "keepRecordings": ["retention", "recordings"], "keepTranscripts": ["retention", "transcripts"],
      "keepNewest": ["retention", "newest"], "keepThread": ["retention", "thread"],
      "compressAfter": ["retention", "compressAfter"], "compressQuality": ["retention", "quality"],
      "keepTrash": ["retention", "trash"], "retentionScope": ["retention", "scope"],
    ],
    "track": [
      "id": ["id"], "name": ["name"], "nameKey": ["name"], "orderKey": ["index"], "trackType": ["trackType"],
      "channelCount": ["channelCount"], "color": ["color"], "volume": ["volume"], "pan": ["pan"],
      "isMuted": ["isMuted"], "isSolo": ["isSolo"], "isRecordEnabled": ["isRecordEnabled"],
      "midiOutput": ["midiOutput"], "overlap": ["overlap"], "trim": ["trim"], "invertedSides": ["invertedSides"],
      "stereoWidth": ["stereoWidth"], "isSoloSafe": ["isSoloSafe"], "outputBus": ["outputBus"],
      "isOutputConnected": ["isOutputConnected"], "input1": ["input1"], "input2": ["input2"],
      "midiInput": ["midiInput"], "monitor": ["monitor"], "recordOffset": ["recordOffset"],
    ],
    "take": [
      "id": ["id"], "track": [], "name": ["name"], "nameKey": ["name"], "rating": ["rating"], "tags": ["tags"],
      "pass": ["pass"],
    ],
    "recordingNote": ["id": ["id"], "title": ["title"], "notes": ["notes"]],
    "transcriptText": ["id": ["id"], "text": ["text"]],
    "send": [
      "id": ["id"], "track": [], "bus": ["bus"], "level": ["level"], "pan": ["pan"], "isPreFader": ["isPreFader"],
      "isMuted": ["isMuted"],
    ],
    "effect": [
      "id": ["id"], "track": [], "kind": ["kind"], "number": ["number"], "isPostFader": ["isPostFader"],
      "orderKey": [], "isBypassed": ["isBypassed"], "isOff": ["isOff"], "key": ["key"],
    ],
    "effectSetting": ["id": ["id"], "effect": [], "parameter": ["parameter"], "value": ["value"]],
    "trackGroup": [
      "id": ["id"], "name": ["name"], "nameKey": ["name"], "volume": ["volume"], "isMuted": ["isMuted"],
      "isSolo": ["isSolo"],
    ],
    "groupMember": ["id": ["id"], "trackGroup": [], "track": ["track"]],
    "lane": [
      "id": ["id"], "track": [], "send": [], "trackGroup": [], "effect": [], "parameter": ["parameter"],
      "timeBase": ["timeBase"], "isRead": ["isRead"],
    ],
    "lanePoint": [
      "id": ["id"], "lane": [], "position": ["startTicks"], "value": ["value"], "shape": ["shape"],
    ],
    "instrument": [
      "id": ["id"], "soundFont": ["instrument", "soundFont"], "bank": ["instrument", "bank"],
      "program": ["instrument", "program"], "gain": ["instrument", "gain"],
      "hasReverb": ["instrument", "reverb", "isOn"], "reverbRoomSize": ["instrument", "reverb", "roomSize"],
      "reverbDamping": ["instrument", "reverb", "damping"], "reverbWidth": ["instrument", "reverb", "width"],
      "reverbLevel": ["instrument", "reverb", "level"], "hasChorus": ["instrument", "chorus", "isOn"],
      "chorusVoices": ["instrument", "chorus", "voiceCount"], "chorusLevel": ["instrument", "chorus", "level"],
      "chorusSpeed": ["instrument", "chorus", "speed"], "chorusDepth": ["instrument", "chorus", "depth"],
      "gainReference": ["instrument", "gainReference"],
    ],
    "region": [
      "id": ["id"], "track": [], "name": ["name"], "nameKey": ["name"], "regionType": ["regionType"],
      "timeBase": ["timeBase"],
      "startTime": ["startFlicks"], "duration": ["durationFlicks"], "audioFile": ["audioFile"],
      "audioOffset": ["audioOffsetFlicks"], "channels": ["channels"], "color": ["color"], "gain": ["gain"],
      "isMuted": ["isMuted"], "fadeInLength": ["fadeIn", "durationFlicks"], "fadeInCut": ["fadeIn", "cutFlicks"],
      "fadeInShape": ["fadeIn", "shape"], "fadeOutLength": ["fadeOut", "durationFlicks"],
      "fadeOutCut": ["fadeOut", "cutFlicks"], "fadeOutShape": ["fadeOut", "shape"], "isReversed": ["isReversed"],
      "take": ["take"], "isInUse": ["isInUse"],
    ],
    "midiNote": [
      "id": ["id"], "region": [], "pitch": ["pitch"], "velocity": ["velocity"], "startTime": ["startTicks"],
      "duration": ["durationTicks"], "channel": ["channel"], "releaseVelocity": ["releaseVelocity"],
    ],
    "midiEvent": [
      "id": ["id"], "region": [], "startTime": ["startTicks"], "kind": ["kind"], "channel": ["channel"],
      "number": ["controller"], "value": ["value"], "bytes": [],
    ],
    "tempoChange": ["id": ["id"], "startTime": ["startTicks"], "tempo": ["bpm"], "isRamp": ["isRamp"]],
    "meterChange": ["id": ["id"], "bar": ["bar"], "numerator": ["timeSignature"], "denominator": ["timeSignature"]],
    "keySignature": ["id": ["id"], "startTime": ["startTicks"], "fifths": ["fifths"], "isMinor": ["isMinor"]],
    "marker": [
      "id": ["id"], "name": ["name"], "nameKey": ["name"], "kind": ["kind"], "timeBase": ["timeBase"],
      "startTime": ["startTicks"], "duration": ["durationTicks"], "color": ["color"],
    ],
    "comment": [
      "id": ["id"], "track": [], "region": [], "thread": ["replies"], "timeBase": ["timeBase"],
      "startTime": ["startTicks"], "author": ["author"], "date": ["date"], "text": ["text"],
      "isResolved": ["isResolved"], "recording": ["recording"], "audioFile": ["audioFile"],
    ],
    "audioFile": [
      "id": ["id"], "path": ["path"], "relativePath": ["relativePath"], "sha256": ["sha256"],
      "byteCount": ["byteCount"],
      "modificationTime": ["modificationTime"], "frames": ["frames"], "sampleRate": ["sampleRate"],
      "channelCount": ["channelCount"], "format": ["format"], "duration": ["durationFlicks"],
    ],
  ]

  @Test("Every stored field of the model is in the JSON of 'show'")
  func everyStoredField() throws {
    try withScratchFolder { folder in
      let daw = DAWProgram(folder: folder, environment: ["DAW_PROJECT": "Song"])
      try Self.timeline.write(to: folder.appendingPathComponent("timeline.json"))
      try daw("new", "Song", "--from", "timeline.json")
      try PlainWave.write([[0, 4000, -5000]], bits: 24, rate: 48_000, to: folder.appendingPathComponent("a.wav"))
      try daw("add-track", "Audio")
      try daw("add-region", "Audio", "--file", "a.wav", "--link", "--color", "red")
      try daw("set-region", "a", "--fade-in", "1f", "--fade-out", "1f")
      try daw("add-note", "Part", "60")
      try daw("add-comment", "Louder?", "--at", "2.1.0")
      let document = try #require(
        try JSONSerialization.jsonObject(with: daw("show", "--json", "--notes").data) as? [String: Any])
      let tracks = try #require(document["tracks"] as? [[String: Any]])
      let regions = tracks.flatMap { $0["regions"] as? [[String: Any]] ?? [] }
      let notes = regions.flatMap { $0["notes"] as? [[String: Any]] ?? [] }
      let files = try #require(document["audioFiles"] as? [[String: Any]])
      let map = try #require(document["tempoMap"] as? [String: [[String: Any]]])
      let lane = (tracks[0]["lanes"] as? [[String: Any]])?.first
      let effect = (tracks[0]["effects"] as? [[String: Any]])?.last
      func first(_ key: String) -> [String: Any]? { (document[key] as? [[String: Any]])?.first }
      let objects: [String: [String: Any]?] = [
        "lane": lane, "lanePoint": (lane?["points"] as? [[String: Any]])?.first,
        "project": document, "track": tracks[0], "instrument": tracks[0], "region": regions.last, "midiNote": notes[0],
        "audioFile": files[0],
        "midiEvent": (regions[0]["events"] as? [[String: Any]])?.first, "tempoChange": map["tempos"]?.last,
        "meterChange": map["meters"]?.last, "keySignature": first("keySignatures"), "marker": first("markers"),
        "take": (tracks[0]["takes"] as? [[String: Any]])?.first, "recordingNote": first("recordingNotes"),
        "transcriptText": first("transcriptTexts"),
        "comment": first("comments"), "send": (tracks[0]["sends"] as? [[String: Any]])?.first,
        "effect": effect, "effectSetting": (effect?["settings"] as? [[String: Any]])?.first,
        "trackGroup": first("groups"), "groupMember": (first("groups")?["members"] as? [[String: Any]])?.first,
      ]
      for (table, places) in Self.places {
        let columns = try Self.columns(of: table, in: folder.appendingPathComponent("Song.daw/project.sqlite"))
        #expect(Set(columns) == Set(places.keys), "\(table)")
        for (column, path) in places {
          var value: Any? = objects[table] ?? nil
          for key in path { value = (value as? [String: Any])?[key] }
          #expect(value != nil, "\(table).\(column)")
        }
      }
    }
  }

  private static let timeline = Data(
    """
    {"tempoMap": {"tempos": [{"startTicks": 0, "bpm": 120, "isRamp": true}, {"startTicks": 61440, "bpm": 97.3}],
      "meters": [{"timeSignature": "4/4"}, {"bar": 3, "timeSignature": "7/8"}]},
     "keySignatures": [{"startTicks": 0, "fifths": -3, "isMinor": true}],
     "markers": [{"name": "Verse", "startTicks": 61440, "durationTicks": 15360, "color": "red"},
       {"name": "Door", "kind": "cue", "startFlicks": 7056000001, "duration": 0.5}],
     "recordingNotes": [{"id": "64617715-0000-8000-8000-000000000007", "title": "Verse", "notes": "Two takes."}],
     "transcriptTexts": [{"id": "64617718-0000-8000-8000-000000000007", "text": "Good morning."}],
     "groups": [{"name": "Band", "lanes": [{"parameter": "mute", "points": [{"value": 1, "shape": "hold"}]}], "volume": -3, "isMuted": true, "members": [{"track": "keys"}, {"track": "Room"}]}],
     "tracks": [{"name": "Keys", "trackType": "midi", "midiOutput": "synth:0", "midiInput": "keys:0", "monitor": "off", "recordOffset": -12,
       "takes": [{"id": "64617714-0000-8000-8000-000000000009", "name": "Take 1", "rating": 3, "tags": ["loud", "good"],
         "pass": "64617716-0000-8000-8000-000000000007"}], "outputBus": "Hall", "trim": -3,
       "lanes": [{"parameter": "volume", "points": [{"startTicks": 960, "value": "-inf", "shape": "sCurve"},
         {"startTime": 2, "value": -6}]}, {"parameter": "pan", "timeBase": "absolute", "isRead": false}],
       "invertedSides": "left", "stereoWidth": -1, "isSoloSafe": true,
       "sends": [{"bus": "Room", "level": "-inf", "pan": 0.5, "isPreFader": true, "isMuted": true}],
       "effects": [{"kind": "eq", "settings": [{"parameter": "band1.type", "value": "highPass"}]},
         {"kind": "compressor", "number": 2, "key": "Kick", "isPostFader": true, "isBypassed": true, "isOff": true,
          "settings": [{"parameter": "link", "value": false}, {"parameter": "ratio", "value": 3.5}]}],
       "instrument": {"gain": -3, "reverb": {"isOn": true, "roomSize": 0.7}, "chorus": {"speed": 1.5}},
       "regions": [{"name": "Other", "startTime": 1, "take": "64617714-0000-8000-8000-000000000009", "isInUse": false},
         {"name": "Part", "duration": 4, "notes": [{"pitch": 60, "releaseVelocity": 3}], "events": [
         {"kind": "controller", "controller": 64, "value": 127, "channel": 3}, {"kind": "pitchBend", "value": -8192},
         {"kind": "program", "program": 5}, {"kind": "program", "program": 5, "bank": 128, "startTime": 0.5},
         {"kind": "channelPressure", "value": 7}, {"kind": "polyPressure", "pitch": 60, "value": 7},
         {"kind": "sysex", "bytes": "f07e7f0901f7"}, {"kind": "meta", "metaType": 5, "text": "lä"},
         {"kind": "meta", "metaType": 1, "bytes": "FF"}]}]},
       {"name": "Room", "trackType": "bus", "isOutputConnected": false, "sends": [{"bus": "Hall", "lanes": [{"parameter": "level", "points": [{"value": 1}]}]}]},
       {"name": "Hall", "trackType": "bus"},
       {"name": "Kick", "input1": "system:capture_1", "input2": "system:capture_2"}]}
    """.utf8)

  private static func columns(of table: String, in file: URL) throws -> [String] {
    let process = Process()
    let output = Pipe()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    process.arguments = ["sqlite3", file.path, "SELECT name FROM pragma_table_info('\(table)')"]
    process.standardOutput = output
    try process.start()
    let data = try output.fileHandleForReading.readToEnd() ?? Data()
    process.waitUntilExit()
    return String(decoding: data, as: UTF8.self).split(separator: "\n").map(String.init)
  }

  @Test("A project made from its JSON gives the same JSON, but for dates and the revision")
  func roundTrip() throws {
    try withScratchFolder { folder in
      let daw = DAWProgram(folder: folder, environment: ["DAW_PROJECT": "Song"])
      try Self.timeline.write(to: folder.appendingPathComponent("timeline.json"))
      try daw("new", "Song", "--from", "timeline.json")
      try daw("set-project", "--tempo", "97.3", "--time-signature", "7/8")
      try PlainWave.write(
        [[0, 4000, -5000], [0, 1, 2]], bits: 24, rate: 48_000, to: folder.appendingPathComponent("a.wav"))
      try daw("import", "a.wav")
      try daw(
        "add-track", "Piano", "--type", "midi", "--volume", "-inf", "--pan", "-0.3", "--color", "ff8800", "--solo")
      try daw("add-region", "Piano", "--at", "2.3.17", "--length", "3b", "--color", "red", "--name", "Solo")
      try daw("add-note", "Solo", "60", "--at", "0.5s", "--channel", "16")
      func document(_ project: String) throws -> NSDictionary {
        let data = try daw("-p", project, "show", "--json", "--notes").data
        var document = try #require(try JSONSerialization.jsonObject(with: data) as? [String: Any])
        for key in ["createdDate", "modifiedDate", "revision", "audioFiles"] { document[key] = nil }
        return NSDictionary(dictionary: document)
      }
      try daw("show", "--json", "--notes").data.write(to: folder.appendingPathComponent("song.json"))
      try daw("new", "Again", "--from", "song.json", "--media", "Song.daw")
      #expect(try document("Again") == document("Song"))
      try daw("check", "-p", "Again")
      let refused = try daw.run(["new", "Third", "--from", "song.json", "--tempo", "90"])
      #expect(refused.status == 64)
    }
  }

  @Test(
    "A JSON with a key that is not known, or with a broken rule, makes no project",
    arguments: [
      (#"{"name": "X", "tempi": 90}"#, "tempi"), (#"{"name": "X", "tempo": 4}"#, "tempo"),
      (#"{"name": "", "tracks": []}"#, "name"),
      (#"{"tracks": [{"name": "A", "volume": 99}]}"#, "volume"),
      (#"{"tracks": [{"name": "A", "outputBus": "Nowhere"}]}"#, "Nowhere"),
      (
        #"{"tracks": [{"name": "A", "trackType": "bus", "sends": [{"bus": "B"}]}, {"name": "B", "trackType": "bus", "outputBus": "A"}]}"#,
        "A → B → A"
      ),
      (#"{"tracks": [{"name": "A", "colour": "red"}]}"#, "colour"),
      (#"{"tracks": [{"name": "A", "effects": [{"kind": "flanger"}]}]}"#, "flanger"),
      (#"{"tracks": [{"name": "A", "effects": [{"kind": "gate", "key": "B"}]}]}"#, "'B'"),
      (
        #"{"tracks": [{"name": "A", "effects": [{"kind": "gate", "settings": [{"parameter": "ratio", "value": 1}]}]}]}"#,
        "ratio"
      ),
      (
        #"{"tracks": [{"name": "A", "effects": [{"kind": "eq", "settings": [{"parameter": "band1.type", "value": 1}]}]}]}"#,
        "band1.type"
      ),
      ("[]", "JSON"), ("{", "JSON"), ("", "JSON"),
    ])
  func refusedDocuments(json: String, word: String) throws {
    try withScratchFolder { folder in
      let daw = DAWProgram(folder: folder)
      let output = try daw.run(["new", "Song", "--from", "-"], input: Data(json.utf8))
      #expect(output.status == 65, "\(output.error)")
      #expect(output.error.contains(word), "\(output.error)")
      #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path).isEmpty)
    }
  }

  @Test("A JSON that only counts notes, events or points makes no project without them")
  func countedContents() throws {
    try withScratchFolder { folder in
      let daw = DAWProgram(folder: folder, environment: ["DAW_PROJECT": "Song"])
      try daw("new", "Song")
      try daw("add-track", "Piano", "--type", "midi")
      func expectRefusal(_ words: String) throws {
        let json = try daw("show", "--json").data
        let output = try daw.run(["new", "Again", "--from", "-", "--json"], input: json)
        #expect(output.status == 65 && output.error.contains("\"invalidJSON\""), "\(output.error)")
        #expect(output.error.contains(words) && output.error.contains("daw show --json --notes"), "\(output.error)")
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == ["Song.daw"])
      }
      try daw("add-region", "Piano", "--length", "4b", "--name", "Part")
      try daw("new", "Empty", "--from", "-", input: try daw("show", "--json").text)
      try FileManager.default.removeItem(at: folder.appendingPathComponent("Empty.daw"))
      try daw("add-point", "Piano", "volume", "-6", "--at", "1.1.0")
      try expectRefusal("points are only counted")
      try daw("remove-lane", "Piano", "volume")
      try daw("add-event", "Part", "--controller", "7", "--value", "100")
      try expectRefusal("events are only counted")
      try daw("add-note", "Part", "60")
      try expectRefusal("notes are only counted")
      try daw("add-point", "Piano", "volume", "-6", "--at", "1.1.0")
      let whole = try daw("show", "--json", "--notes").text
      #expect(whole.contains("\"points\""))
      try daw("new", "Again", "--from", "-", input: whole)
      #expect(try daw("-p", "Again", "list-notes", "-q").text.split(separator: "\n").count == 1)
    }
  }

  @Test(
    "The number of notes or points may stand before or behind their list",
    arguments: [
      (#"{"noteCount": 1}"#, 65), (#"{"notes": null, "eventCount": 1}"#, 65), (#"{"noteCount": 0}"#, 0),
      (#"{"noteCount": 1, "notes": []}"#, 0), (#"{"notes": [], "noteCount": 1}"#, 0),
    ])
  func orderOfCounts(region: String, status: Int32) throws {
    try withScratchFolder { folder in
      let json = #"{"tracks": [{"name": "A", "trackType": "midi", "regions": [\#(region)]}]}"#
      let output = try DAWProgram(folder: folder).run(["new", "Song", "--from", "-"], input: Data(json.utf8))
      #expect(output.status == status, "\(output.error)")
    }
  }

  @Test(
    "What a project could not hold is refused, not dropped",
    arguments: [
      #"{"tempo": 90, "tempoMap": {"tempos": [{"startTime": 0, "startTicks": 0, "bpm": 91, "isRamp": false}], "meters": []}}"#,
      #"{"createdDate": "yesterday"}"#, #"{"tracks": [{"trackType": "master"}, {"trackType": "master"}]}"#,
      #"{"tracks": [{"volum": 3}]}"#, "[]", "",
    ])
  func nothingIsDropped(json: String) throws {
    try withScratchFolder { folder in
      let daw = DAWProgram(folder: folder)
      let output = try daw.run(["new", "Song", "--from", "-", "--json"], input: Data(json.utf8))
      #expect(output.status == 65)
      #expect(try JSONDecoder().decode(ReportedError.self, from: Data(output.error.utf8)).error.code == "invalidJSON")
      #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path).isEmpty)
    }
  }
}
