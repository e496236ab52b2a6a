import DAWModel
import DAWProject
import DAWStore
import DAWTime

extension TempoMapDocument {
  public init(_ view: ProjectView) throws {
    try self.init(view.header().settings, view.tempoChanges(), view.meterChanges(), in: view.tempoMap())
  }

  init(_ settings: ProjectSettings, _ tempoChanges: [TempoChange], _ meterChanges: [MeterChange], in map: TempoMap) {
    tempos = [Tempo(startTime: 0, startTicks: 0, bpm: settings.tempo.bpm, isRamp: settings.isTempoRamp)]
    tempos += tempoChanges.map { Tempo($0, in: map) }
    meters = [Meter(startTime: 0, startTicks: 0, bar: 1, timeSignature: settings.timeSignature.description)]
    meters += meterChanges.map { Meter($0, in: map) }
  }
}

extension TempoMapDocument.Tempo {
  public init(_ mark: TempoChange, in map: TempoMap) {
    id = mark.id
    startTime = map.flicks(at: mark.position).seconds
    startTicks = mark.position.ticks
    bpm = mark.tempo.bpm
    isRamp = mark.isRamp
  }
}

extension TempoMapDocument.Meter {
  public init(_ mark: MeterChange, in map: TempoMap) {
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
  public init(_ mark: KeySignature, in map: TempoMap) {
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
  /// Adds the items of the timeline, tempo and meter first, since all other positions depend on them.
  func addTimeline(of document: ProjectDocument) throws {
    for tempo in document.tempoMap.tempos.dropFirst() {
      try apply(
        .add(
          TempoChange(
            id: tempo.id ?? newID(of: TempoChange.self), position: TickPosition(ticks: tempo.startTicks),
            tempo: try DAWTime.Tempo(beatsPerMinute: tempo.bpm), isRamp: tempo.isRamp)))
    }
    for meter in document.tempoMap.meters.dropFirst() {
      try apply(
        .add(
          MeterChange(
            id: meter.id ?? newID(of: MeterChange.self), bar: meter.bar,
            timeSignature: try TimeSignature(inProject: meter.timeSignature))))
    }
    for key in document.keySignatures {
      try apply(
        .add(
          KeySignature(
            id: key.id ?? newID(of: KeySignature.self), position: TickPosition(ticks: key.startTicks),
            fifths: key.fifths,
            isMinor: key.isMinor)))
    }
    let map = try tempoMap()
    for marker in document.markers {
      try apply(.add(try marker.marker(id: marker.id ?? newID(of: Marker.self), in: map)))
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
