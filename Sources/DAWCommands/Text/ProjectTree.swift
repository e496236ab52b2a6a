import DAWInterchange
import DAWModel
import DAWProject
import DAWTime

/// A project for people: its settings, and its tracks with their regions indented below them.
struct ProjectTree {
  let document: ProjectDocument
  let folder: ProjectFolder
  let map: TempoMap
  let presets: PresetNames

  var lines: [StyledLine] { heading + timeline + groups + [""] + tracks }

  private var heading: [StyledLine] {
    let settings =
      "\(Wording.number(document.tempo.bpm)) BPM, \(document.timeSignature), \(document.sampleRate.hertz) Hz, "
      + "pan law \(document.panLaw.rawValue)"
    let first = StyledLine([(document.name.text, .bold), (": " + settings, nil)])
    let revision = "revision \(document.revision) of \(Wording.date(document.modifiedDate)),"
    // The folder is given in full: it is to be copied.
    let place = "in " + TerminalText.line(folder.path)
    let fits = Terminal.columns().map { (revision + " " + place).displayWidth <= $0 } ?? true
    let second = fits ? [revision + " " + place] : [revision, "  " + place]
    return first.fitted(indentation: 2) + second.map { StyledLine($0) }
  }

  /// The changes of tempo and meter after the start, and the markers, a line each.
  private var timeline: [StyledLine] {
    var table = TextTable(.plain, .text)
    func add(_ position: TickPosition, _ text: String, _ style: TextStyle? = nil) {
      table.add(["\(Wording.place(position, in: map))", TextTable.Cell(text, style)])
    }
    for tempo in document.tempoMap.tempos.dropFirst() {
      add(tempo.startTicks, "\(Wording.number(tempo.tempo.bpm)) BPM\(tempo.isRamp ? ", ramp" : "")")
    }
    for meter in document.tempoMap.meters.dropFirst() { add(meter.startTicks, meter.timeSignature.description) }
    for marker in document.markers {
      let position = FlickPosition(seconds: marker.startTime).map { map.ticks(at: $0) } ?? .zero
      add(position, "@\(marker.name)", marker.color.map { .colored($0) })
    }
    return table.lines()
  }

  private var groups: [StyledLine] {
    document.groups.flatMap { group in
      TextWrapping.fittedLines(
        TerminalText.line("group \(group.name): \(Wording.settings(group))"), width: Terminal.columns(), indentation: 2)
    }.map { StyledLine($0) }
  }

  private var tracks: [StyledLine] {
    let trackIDs = ShortIDs(document.tracks.map(\.id))
    let regionIDs = ShortIDs(document.tracks.flatMap { $0.regions ?? [] }.map(\.id))
    let contents = document.tracks.flatMap { $0.regions ?? [] }
    let noteIDs = ShortIDs(contents.flatMap { $0.notes?.items ?? [] }.map(\.id))
    let eventIDs = ShortIDs(contents.flatMap { $0.events?.items ?? [] }.map(\.id))
    var table = TextTable(.number, .text, .plain, .plain, .text, .id)
    for track in document.tracks {
      table.add([
        "\(track.index + 1)", TextTable.Cell(track.name.text, .colored(track.color)),
        TextTable.Cell(Wording.settings(track, presets), overflows: true), "", "",
        TextTable.Cell(trackIDs[track.id], .dim),
      ])
      if let routing = Wording.routing(track) {
        table.add(["", "", TextTable.Cell(routing, overflows: true), "", "", ""])
      }
      for line in [Wording.effects(track), Wording.lanes(track)].compactMap(\.self) {
        table.add(["", "", TextTable.Cell(line, overflows: true), "", "", ""])
      }
      for run in RegionRun.runs(of: track.regions ?? [], in: map) {
        let region = run.first
        table.add([
          "", "  \(run.title)", "\(bars(region.startTime)) to \(bars(run.end))",
          "\(Wording.time(region.startTime)) to \(Wording.time(run.end))", "\(run.content)",
          TextTable.Cell(regionIDs[region.id], .dim),
        ])
        for event in region.events?.items ?? [] {
          let place = region.startTime + event.startTime
          table.add([
            "", "    \(Wording.event(event))", "\(bars(place))", "\(Wording.time(place))",
            TextTable.Cell(event.channel.map { "channel \($0 + 1)" } ?? ""),
            TextTable.Cell(eventIDs[event.id], .dim),
          ])
        }
        for note in region.notes?.items ?? [] {
          let place = region.startTime + note.startTime
          table.add([
            "", "    \(Pitch.name(of: note.pitch))", "\(bars(place))",
            "\(Wording.time(place)) for \(Wording.time(note.duration))",
            "velocity \(note.velocity), channel \(note.channel + 1)",
            TextTable.Cell(noteIDs[note.id], .dim),
          ])
        }
      }
    }
    return table.lines()
  }

  /// "3.1.0".
  private func bars(_ seconds: Double) -> String {
    FlickPosition(seconds: seconds).map { "\(map.barBeatTick(at: map.ticks(at: $0)))" } ?? ""
  }
}
