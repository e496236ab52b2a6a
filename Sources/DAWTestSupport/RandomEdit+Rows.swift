import DAWModel
import DAWTime

extension RandomEdits {
  mutating func instrument(_ project: Project) -> Edit {
    if chance(0.1), let id = pick(project.instruments.keys.sorted()) { return .remove(id) }
    let free = project.tracksInOrder.filter { $0.trackType == .midi && project.instrument(of: $0.id) == nil }
    let track = chance(0.05) ? pick(project.tracksInOrder) : pick(free) ?? pick(project.tracksInOrder)
    guard let track = track?.id ?? project.tracks.keys.min() else { return .remove(InstrumentID(rawValue: 3)) }
    var instrument = Instrument(
      of: track, soundFont: chance(0.7) ? pick(project.soundFonts.keys.sorted()) : nil, bank: Int(number(0...129)),
      program: Int(number(0...(chance(0.05) ? 300 : 127))), gain: level(),
      gainReference: pick(Instrument.GainReference.allCases) ?? .calibrated)
    instrument.reverb.isOn = chance(0.3)
    instrument.reverb.roomSize = Double(number(0...(chance(0.03) ? 20 : 10))) / 10
    instrument.chorus.isOn = chance(0.3)
    instrument.chorus.voiceCount = Int(number(chance(0.03) ? -1...100 : 0...99))
    return project.instruments[instrument.id] == nil ? .add(instrument) : .set(instrument)
  }

  mutating func comment(_ project: Project) -> Edit {
    let known = project.comments.values.sorted { $0.id < $1.id }
    if chance(0.15), let comment = pick(known) { return .remove(comment.id) }
    if chance(0.25), var comment = pick(known) {
      if chance(0.5) { comment.text = text() }
      if chance(0.5) { comment.isResolved.toggle() }
      if chance(0.1) { comment.thread = pick(known)?.id }
      return .set(comment)
    }
    var comment = Comment(
      id: newID(), author: chance(0.03) ? "" : "ada@lab", date: Timestamp(milliseconds: number(0...1_000_000)),
      text: text())
    switch number(0...5) {
    case 0: comment.track = pick(project.tracks.keys.sorted())
    case 1: comment.region = pick(project.regions.keys.sorted())
    case 2: comment.thread = pick(chance(0.9) ? known.filter { $0.thread == nil } : known)?.id
    case 3: (comment.track, comment.region) = (pick(project.tracks.keys.sorted()), pick(project.regions.keys.sorted()))
    case 4: comment.recording = RecordingID(rawValue: number(chance(0.1) ? -1...0 : 1...99))
    default: comment.isResolved = chance(0.3)
    }
    if chance(0.2) { comment.audioFile = pick(project.audioFiles.keys.sorted()) }
    if chance(0.4), comment.thread == nil || chance(0.1) {
      let number = number(chance(0.05) ? -9...0 : 0...999_999)
      comment.position =
        chance(0.5) ? .musical(TickPosition(ticks: number)) : .absolute(FlickPosition(flicks: number))
    }
    return .add(comment)
  }

  private mutating func text() -> String {
    chance(0.05) ? pick(["", " spaced ", "zero\0"]) ?? "" : "Louder in bar \(number(1...99))?\nYes."
  }
}
