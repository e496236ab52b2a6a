import DAWModel
import DAWTime

extension RandomEdits {
  /// Adds, changes or removes a take, or what is said about a recording.
  mutating func take(_ project: Project) -> Edit {
    if chance(0.3) { return recordingNote(project) }
    if chance(0.2) { return transcriptText(project) }
    let known = project.takes.values.sorted { $0.id < $1.id }
    if chance(0.1), let take = pick(known) { return .remove(take.id) }
    var take = Take(
      id: newID(), track: pick(project.tracks.keys.sorted()) ?? TrackID(rawValue: 3), name: name(),
      rating: Int(number(chance(0.05) ? -1...6 : 0...5)), tags: tags(), pass: chance(0.5) ? newID() : nil)
    guard chance(0.3), let old = pick(known) else { return .add(take) }
    take.id = old.id
    if chance(0.8) { take.track = old.track }
    return .set(take)
  }

  private mutating func recordingNote(_ project: Project) -> Edit {
    let known = project.recordingNotes.keys.sorted()
    if chance(0.1), let id = pick(known) { return .remove(id) }
    let note = RecordingNote(
      id: chance(0.3) ? pick(known) ?? newID() : newID(),
      title: pick(["", "Verse", chance(0.1) ? " x" : "Verse 2"]) ?? "",
      notes: pick([nil, "Two takes.\nLoud.", chance(0.1) ? "" : "x"] as [String?]) ?? nil)
    return known.contains(note.id) ? .set(note) : .add(note)
  }

  private mutating func transcriptText(_ project: Project) -> Edit {
    let known = project.transcriptTexts.keys.sorted()
    if chance(0.1), let id = pick(known) { return .remove(id) }
    let text = TranscriptText(
      id: chance(0.3) ? pick(known) ?? newID() : newID(),
      text: pick(["Hello.", "Good morning.\nHello.", chance(0.1) ? "" : "x"]) ?? "x")
    return known.contains(text.id) ? .set(text) : .add(text)
  }

  private mutating func tags() -> Tags {
    Tags(
      Set((0..<number(0...3)).compactMap { _ in pick(["good", "b-2", "loud_one", chance(0.03) ? "two words" : "x"]) }))
  }

  /// Makes a region a part of a take, of its track or, once in a while, of another, or of none.
  mutating func choose(_ region: inout Region, in project: Project) {
    if chance(0.3) { region.isInUse.toggle() }
    let takes = project.takes.values.filter { $0.track == region.track || chance(0.02) }.map(\.id).sorted()
    if chance(0.4) { region.take = chance(0.8) ? pick(takes) : nil }
  }

  /// Gives a track other inputs.
  mutating func connectInputs(of track: inout Track) {
    let ports = ["system:capture_1", "system:capture_2", chance(0.05) ? "nowhere" : "A B:port 2"]
    if chance(0.2) { track.monitor = pick(Monitor.allCases) ?? .auto }
    if chance(0.2) { track.recordOffset = FrameCount(frames: number(chance(0.1) ? -200_000...200_000 : -9...9)) }
    switch track.trackType {
    case .audio:
      track.input1 = chance(0.7) ? pick(ports) : nil
      track.input2 = chance(track.input1 == nil ? 0.02 : track.channelCount == 1 ? 0.05 : 0.5) ? pick(ports) : nil
    case .midi: track.midiInput = chance(0.7) ? pick(ports) : nil
    case .bus, .master: if chance(0.05) { track.input1 = pick(ports) }
    }
  }
}
