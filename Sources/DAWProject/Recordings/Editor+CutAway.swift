import DAWModel
import DAWStore
import DAWTime

extension Editor {
  /// Cuts away the sound in a range of a track that belongs to no take: regions end before it, and begin behind it. Their
  /// new edges are faded as trimmed ones are, since takes are crossfaded only with takes.
  func cutAway(_ range: Range<FlickPosition>, on track: Track) throws {
    let map = try tempoMap()
    for region in try view.regions(RegionFilter(track: track.id, type: .audio))
    where region.isInUse && region.take == nil {
      guard let span = region.audio else { continue }
      let (start, end) = (region.startFlicks(in: map), region.endFlicks(in: map))
      guard start < range.upperBound, end > range.lowerBound else { continue }
      var parts: [Region] = []
      if start < range.lowerBound {
        let length = range.lowerBound - start
        var part = region.part(FlickCount.zero..<length)
        part.fadeOut = part.fadeOut.exposed(in: length)
        parts.append(part)
      }
      if end > range.upperBound {
        var part = region.part((range.upperBound - start)..<span.duration)
        part.fadeIn = part.fadeIn.exposed(in: end - range.upperBound)
        part.start =
          part.start.timeBase == .musical
          ? .musical(map.ticks(at: range.upperBound)) : .absolute(range.upperBound)
        if !parts.isEmpty {
          part.id = try newID(of: Region.self)
          part.name = try freeName(part.name, on: track.id)
        }
        parts.append(part)
      }
      parts = try fadeExposedEdges(from: [region], to: parts, in: map)
      if parts.isEmpty { try apply(.remove([region.id])) }
      for part in parts {
        if part.id == region.id { try apply(.set(part)) } else { try apply(.add(part)) }
      }
    }
  }

  /// The same of MIDI regions: notes that cross an edge are shortened, or begin behind it.
  func cutAway(_ range: Range<TickPosition>, on track: Track) throws {
    let map = try tempoMap()
    for region in try view.regions(RegionFilter(track: track.id, type: .midi))
    where region.isInUse && region.take == nil {
      guard case .midi(let length) = region.content else { continue }
      let start = map.ticks(at: region.start)
      let end = start + length
      guard start < range.upperBound, end > range.lowerBound else { continue }
      let isBefore = start < range.lowerBound
      let rest = isBefore ? try split(region, at: .musical(range.lowerBound)).right : region
      if end > range.upperBound {
        _ = try trim(rest, from: .musical(range.upperBound), to: nil, cutsNotes: true)
      } else {
        try apply(.remove([rest.id]))
      }
    }
  }
}
