import DAWInterchange
import DAWModel
import DAWProject

/// A project for people: its settings, and its tracks with their regions indented below them.
struct ProjectTree {
  let document: ProjectDocument
  let folder: ProjectFolder

  init(_ document: ProjectDocument, folder: ProjectFolder) {
    self.document = document
    self.folder = folder
  }

  var lines: [String] { heading + timeline + [""] + tracks }

  /// What changes on the way, and the markers: a line each; nothing where nothing does.
  private var timeline: [String] {
    let tempos = document.tempoMap.tempos.dropFirst().map {
      "\(Wording.time($0.startTime))  \(Wording.number($0.bpm)) BPM\($0.isRamp ? ", ramp" : "")"
    }
    let meters = document.tempoMap.meters.dropFirst().map { "\(Wording.time($0.startTime))  \($0.timeSignature)" }
    let markers = document.markers.map { "\(Wording.time($0.startTime))  @\($0.name)" }
    return tempos + meters + markers
  }

  private var heading: [String] {
    [
      "\(document.name): \(Wording.number(document.tempo)) BPM, \(document.timeSignature), \(document.sampleRate) Hz, "
        + "pan law \(document.panLaw.rawValue)",
      "revision \(document.revision) of \(Wording.date(document.modifiedDate)), in \(folder.path)",
    ]
  }

  private var tracks: [String] {
    let trackIDs = ShortIDs(document.tracks.compactMap(\.id))
    let regionIDs = ShortIDs(document.tracks.flatMap { $0.regions ?? [] }.compactMap(\.id))
    var table = TextTable()
    for track in document.tracks {
      table.add([
        "\(track.index + 1)", track.name, Wording.settings(track), "", track.id.map { trackIDs[$0] } ?? "",
      ])
      for region in track.regions ?? [] {
        let end = region.startTime + region.duration
        table.add([
          "", "  \(region.name)", "\(Wording.time(region.startTime)) to \(Wording.time(end))", Wording.content(region),
          region.id.map { regionIDs[$0] } ?? "",
        ])
        for event in region.events ?? [] {
          table.add([
            "", "    \(Wording.event(event))", Wording.time(event.startTime),
            event.channel.map { "channel \($0 + 1)" } ?? "", event.id?.uuidString ?? "",
          ])
        }
        for note in region.notes ?? [] {
          table.add([
            "", "    \(Pitch.name(of: note.pitch))",
            "\(Wording.time(note.startTime)) for \(Wording.time(note.duration))",
            "velocity \(note.velocity), channel \(note.channel + 1)", note.id?.uuidString ?? "",
          ])
        }
      }
    }
    return table.lines
  }
}
