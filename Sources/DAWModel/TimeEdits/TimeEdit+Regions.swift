import DAWTime

/// A piece of a region in the new timeline.
private struct Piece {
  var region: Region
  /// What it is of a MIDI region, from the region's start.
  var range: Range<TickCount>
  /// The beginning of its stretch in the new timeline.
  var stretch: TickPosition
  /// Where it has another fade than what a cut left of the region's, in the old timeline.
  var fadeCuts: [TickPosition] = []
}

/// A region of the new timeline that holds a piece of an old one's notes and events.
private struct Holder {
  var region: RegionID
  /// From the old region's start.
  var range: Range<TickCount>
  var isKept: Bool

  func isWhole(of length: TickCount) -> Bool { isKept && range == .zero..<length }
}

extension TimeEdit {
  /// Regions go with what they lie in. One that crosses a cut is divided as 'split-region' divides it, and one in
  /// deleted time is removed.
  mutating func layOutRegions() throws {
    var (changed, added): ([Region], [Region]) = ([], [])
    var removed: [RegionID] = []
    var contents = ContentChanges()
    var midiPieces: [MIDIPiece] = []
    for region in rows(\.regions) where tracks?.contains(region.track) ?? true {
      let kept = pieces(of: region) { $0 == .kept }
      let copied = pieces(of: region) { $0 == .copied }
      count(region, kept, copied)
      for position in Set((kept + copied).flatMap(\.fadeCuts)).sorted() {
        cuts.fades.append(Cut(regions: [region.id], position: position))
      }
      var holders: [Holder] = []
      for (index, piece) in (kept + copied).enumerated() {
        var row = piece.region
        if index > 0 || kept.isEmpty {
          row.id = try newID()
          added.append(row)
        } else if row != region {
          changed.append(row)
        }
        holders.append(Holder(region: row.id, range: piece.range, isKept: index < kept.count))
        if region.regionType == .midi, region.isHeard {
          let start = before.ticks(at: region.start) + piece.range.lowerBound
          midiPieces.append(MIDIPiece(region: row.id, track: region.track, start: start, stretch: piece.stretch))
        }
      }
      if kept.isEmpty { removed.append(region.id) }
      if case .midi(let length) = region.content, holders.count > 1 || holders.first?.isWhole(of: length) == false {
        try divideContents(of: region, length, among: holders, &contents)
      }
    }
    try holdMIDIState(in: midiPieces, &contents)
    findCutCrossfades()
    removedRegions = Set(removed)
    try nameApart(&added)
    if !added.isEmpty { append(.add(added)) }
    // A region covers its contents after each step, so they move before it shrinks.
    for edit in contents.edits { append(edit) }
    if !changed.isEmpty { append(.set(changed)) }
    if !removed.isEmpty { append(.remove(removed)) }
  }

  private mutating func count(_ region: Region, _ kept: [Piece], _ copied: [Piece]) {
    count { counts in
      counts.copiedRegions += copied.count
      if kept.isEmpty {
        counts.removedRegions += 1
      } else if kept.count > 1 || kept[0].region.content != region.content {
        counts.cutRegions += 1
      } else if kept[0].region != region {
        counts.movedRegions += 1
      }
    }
  }

  /// A note or event keeps its id in the first kept piece that holds some of it; what the other pieces hold is new.
  private mutating func divideContents(
    of region: Region, _ length: TickCount, among holders: [Holder], _ contents: inout ContentChanges
  ) throws {
    let isRemoved = !holders.contains(where: \.isKept)
    for note in try source.notes(region.id) {
      var isOpen = true
      for holder in holders {
        guard var part = note.part(holder.range) else { continue }
        part.region = holder.region
        if holder.isKept, isOpen {
          isOpen = false
          if part != note { contents.changedNotes.append(part) }
        } else {
          part.id = try newID()
          contents.addedNotes.append(part)
        }
      }
      if isOpen, !isRemoved { contents.removedNotes.append(note.id) }
    }
    for event in try source.events(region.id) {
      var isOpen = true
      for holder in holders {
        guard var part = event.part(holder.range, isLast: holder.range.upperBound == length) else { continue }
        part.region = holder.region
        if holder.isKept, isOpen {
          isOpen = false
          if part != event { contents.changedEvents.append(part) }
        } else {
          part.id = try newID()
          contents.addedEvents.append(part)
        }
      }
      if isOpen, !isRemoved { contents.removedEvents.append(event.id) }
    }
  }

  private func nameApart(_ added: inout [Region]) throws {
    let groups = Dictionary(grouping: added.indices) { added[$0].track }
    for (track, indices) in groups.sorted(by: { $0.key < $1.key }) {
      let names = try source.freeNames(indices.map { added[$0].name }, track)
      for (index, name) in zip(indices, names) { added[index].name = name }
    }
  }

  /// What the stretches of some content hold of a region, in order.
  private func pieces(of region: Region, in isWanted: (Stretch.Content) -> Bool) -> [Piece] {
    layout.stretches.indices.filter { isWanted(layout.stretches[$0].content) }.compactMap { index in
      switch region.content {
      case .midi(let length): midiPiece(of: region, length, in: layout.stretches[index])
      case .audio(let span): audioPiece(of: region, span, inStretch: index)
      }
    }
  }

  private func midiPiece(of region: Region, _ length: TickCount, in stretch: Stretch) -> Piece? {
    let start = before.ticks(at: region.start).ticks
    let overlap = bounds(of: stretch, in: .musical).clamped(to: start..<start + length.ticks)
    guard !overlap.isEmpty else { return nil }
    let range = TickCount(ticks: overlap.lowerBound - start)..<TickCount(ticks: overlap.upperBound - start)
    var part = region.part(range)
    part.start = moved(.musical(TickPosition(ticks: overlap.lowerBound)), with: stretch)
    return Piece(region: part, range: range, stretch: stretch.new)
  }

  private func audioPiece(of region: Region, _ span: AudioSpan, inStretch index: Int) -> Piece? {
    let stretch = layout.stretches[index]
    let start = region.startFlicks(in: before).flicks
    let whole = start..<start + span.duration.flicks
    let overlap = bounds(of: stretch, in: .absolute).clamped(to: whole)
    guard !overlap.isEmpty, !isReach(overlap, of: region, from: start) else { return nil }
    var part = region.part(
      FlickCount(flicks: overlap.lowerBound - start)..<FlickCount(flicks: overlap.upperBound - start))
    // A cut behind which the old timeline goes on is a split, which is not heard; another one would click, and so would
    // one behind which there is only a take's reach, which goes.
    let (head, tail) = (whole.lowerBound..<overlap.lowerBound, overlap.upperBound..<whole.upperBound)
    let length = FlickCount(flicks: overlap.upperBound - overlap.lowerBound)
    var fadeCuts: [TickPosition] = []
    if !head.isEmpty, !layout.goesOn(into: index) || isReach(head, of: region, from: start) {
      if part.fadeIn.cut > .zero { fadeCuts.append(stretch.old) }
      part.fadeIn = part.fadeIn.exposed(in: length)
    }
    if !tail.isEmpty, !layout.goesOn(into: index + 1) || isReach(tail, of: region, from: start) {
      if part.fadeOut.cut > .zero, let end = stretch.oldEnd { fadeCuts.append(end) }
      part.fadeOut = part.fadeOut.exposed(in: length)
    }
    let place: TimelinePosition =
      overlap.lowerBound == start
      ? region.start
      : region.start.timeBase == .musical
        ? .musical(stretch.old) : .absolute(FlickPosition(flicks: overlap.lowerBound))
    part.start = moved(place, with: stretch)
    if stretch.content == .copied, overlap.upperBound == bounds(of: stretch, in: .absolute).upperBound,
      let end = stretch.length.map({ after.flicks(at: stretch.new + $0) }), var copy = part.audio
    {
      // A copy ends where its stretch ends, which may be a flick earlier or later than where it came from.
      let (room, flick) = (end - part.startFlicks(in: after), FlickCount(flicks: 1))
      if tracks != nil, room > copy.duration + flick {
        // The tempo does not come along: where it is slower the copy ends earlier, before what lies behind the range.
        if !tail.isEmpty { part.fadeOut = part.fadeOut.exposed(in: length) }
      } else {
        // Where it is faster, the copy is cut.
        let cut = copy.duration - room
        if tracks != nil, cut > flick { part.fadeOut = part.fadeOut.beyond(cut).exposed(in: room) }
        copy.duration = tail.isEmpty ? min(room, copy.duration) : max(flick, room)
      }
      part.content = .audio(copy)
    }
    return Piece(region: part, range: .zero ..< .zero, stretch: stretch.new, fadeCuts: fadeCuts)
  }
}

extension TimeEdit {
  /// Whether a part of a take's region is only what reaches into another take's in a crossfade, which a cut between the
  /// two leaves behind.
  private func isReach(_ part: Range<Int64>, of region: Region, from start: Int64) -> Bool {
    guard region.take != nil, region.isInUse, let span = region.audio else { return false }
    let end = start + span.duration.flicks
    func isWithin(_ fade: Fade) -> Bool {
      fade.visibleLength <= Fade.edgeLength && part.count < fade.visibleLength.flicks
    }
    return part != start..<end
      && (part.upperBound == end && isWithin(region.fadeOut) || part.lowerBound == start && isWithin(region.fadeIn))
  }
}

/// The changes of notes and events of many regions.
struct ContentChanges {
  var changedNotes: [MIDINote] = []
  var addedNotes: [MIDINote] = []
  var removedNotes: [NoteID] = []
  var changedEvents: [RegionEvent] = []
  var addedEvents: [RegionEvent] = []
  var removedEvents: [EventID] = []

  /// Without the empty ones.
  var edits: [Edit] {
    var edits: [Edit] = []
    if !removedNotes.isEmpty { edits.append(.remove(removedNotes)) }
    if !changedNotes.isEmpty { edits.append(.set(changedNotes)) }
    if !addedNotes.isEmpty { edits.append(.add(addedNotes)) }
    if !removedEvents.isEmpty { edits.append(.remove(removedEvents)) }
    if !changedEvents.isEmpty { edits.append(.set(changedEvents)) }
    if !addedEvents.isEmpty { edits.append(.add(addedEvents)) }
    return edits
  }
}
