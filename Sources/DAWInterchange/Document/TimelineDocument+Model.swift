import DAWModel
import DAWProject
import DAWStore
import DAWTime

extension TempoMapDocument {
  public init(_ view: ProjectView) throws {
    try self.init(view.header().settings, view.tempoMarks(), view.meterMarks(), in: view.tempoMap())
  }

  init(_ settings: ProjectSettings, _ tempoMarks: [TempoMark], _ meterMarks: [MeterMark], in map: TempoMap) {
    tempos = [Tempo(startTime: 0, startTicks: 0, bpm: settings.tempo.bpm, isRamp: settings.isTempoRamp)]
    tempos += tempoMarks.map { Tempo($0, in: map) }
    meters = [Meter(startTime: 0, startTicks: 0, bar: 1, timeSignature: settings.timeSignature.description)]
    meters += meterMarks.map { Meter($0, in: map) }
  }
}

extension TempoMapDocument.Tempo {
  public init(_ mark: TempoMark, in map: TempoMap) {
    id = mark.id
    startTime = map.flicks(at: mark.position).seconds
    startTicks = mark.position.ticks
    bpm = mark.tempo.bpm
    isRamp = mark.isRamp
  }
}

extension TempoMapDocument.Meter {
  public init(_ mark: MeterMark, in map: TempoMap) {
    // Its meter is the one that begins there, so that every bar before it has a first beat.
    let start = (try? map.ticks(at: BarBeatTick(bar: mark.bar))) ?? .zero
    id = mark.id
    startTime = map.flicks(at: start).seconds
    startTicks = start.ticks
    bar = mark.bar
    timeSignature = mark.timeSignature.description
  }
}

extension KeySignatureDocument {
  public init(_ mark: KeyMark, in map: TempoMap) {
    id = mark.id
    startTime = map.flicks(at: mark.position).seconds
    startTicks = mark.position.ticks
    fifths = mark.fifths
    isMinor = mark.isMinor
  }
}

extension MarkerDocument {
  public init(_ marker: Marker, in map: TempoMap) {
    let start = map.flicks(at: marker.start)
    id = marker.id
    name = marker.name.text
    kind = marker.kind
    timeBase = marker.start.timeBase
    startTime = start.seconds
    if case .musical(let ticks) = marker.start { startTicks = ticks.ticks }
    if case .absolute(let flicks) = marker.start { startFlicks = flicks.flicks }
    if marker.length != nil { duration = (map.flicks(at: marker.end) - start).seconds }
    if case .musical(let ticks) = marker.length { durationTicks = ticks.ticks }
    if case .absolute(let flicks) = marker.length { durationFlicks = flicks.flicks }
    color = marker.color
  }
}

extension Editor {
  /// Adds what stands on the timeline itself, tempo and meter first: the places of all others depend on them.
  func addTimeline(of document: ProjectDocument) throws {
    for tempo in document.tempoMap.tempos.dropFirst() {
      try apply(
        .addMark(
          .tempo(
            TempoMark(
              id: tempo.id ?? newTempoMarkID(), position: TickPosition(ticks: tempo.startTicks),
              tempo: try DAWTime.Tempo(beatsPerMinute: tempo.bpm), isRamp: tempo.isRamp))))
    }
    for meter in document.tempoMap.meters.dropFirst() {
      try apply(
        .addMark(
          .meter(
            MeterMark(
              id: meter.id ?? newMeterMarkID(), bar: meter.bar,
              timeSignature: try TimeSignature(inProject: meter.timeSignature)))))
    }
    for key in document.keySignatures {
      try apply(
        .addMark(
          .key(
            KeyMark(
              id: key.id ?? newKeyMarkID(), position: TickPosition(ticks: key.startTicks), fifths: key.fifths,
              isMinor: key.isMinor))))
    }
    let map = try tempoMap()
    for marker in document.markers {
      try apply(.addMark(.marker(try marker.marker(id: marker.id ?? newMarkerID(), in: map))))
    }
  }
}

extension MarkerDocument {
  fileprivate func marker(id: MarkerID, in map: TempoMap) throws -> Marker {
    let place = try FlickPosition(typedSeconds: startTime)
    let start: TimelinePosition =
      switch timeBase {
      case .musical: .musical(startTicks.map(TickPosition.init(ticks:)) ?? map.ticks(at: place))
      case .absolute: .absolute(startFlicks.map(FlickPosition.init(flicks:)) ?? place)
      }
    var marker = Marker(id: id, name: try Name(name), kind: kind, start: start, color: color)
    let length: FlickCount? = try duration.map { FlickCount(flicks: try flicks($0)) }
    switch start {
    case .musical(let ticks):
      let ticks = durationTicks.map(TickCount.init(ticks:)) ?? length.map { map.ticks(at: place + $0) - ticks }
      marker.length = ticks.map(TimelineDistance.musical)
    case .absolute: marker.length = (durationFlicks.map(FlickCount.init(flicks:)) ?? length).map { .absolute($0) }
    }
    return marker
  }
}
