import DAWErrors
import DAWModel
import DAWStore
import DAWTime

extension Editor {
  /// Puts time into the timeline; what crosses the position is split.
  /// - Parameters:
  ///   - length: measured with the tempo and the meter before the position, which hold in the new time.
  ///   - tracks: the only ones to be edited, without tempo map and markers; `[]`: everything.
  /// - Throws: `Failure`, `TimeEditError`.
  public func insertTime(_ length: LengthExpression, at position: TickPosition, tracks: [String]) throws -> TimeEdited {
    let map = try tempoMap()
    let before = TickPosition(ticks: max(0, position.ticks - 1))
    let held = TempoMap(
      tempo: map.tempo(at: position.heldBefore(in: map)), timeSignature: map.timeSignature(at: before))
    let ticks = tracks.isEmpty ? try length.ticks(held, .zero) : try length.ticks(map, position)
    guard ticks > .zero else {
      throw Failure(
        .invalid, code: "invalidTime", "A length of nothing cannot be inserted. Nothing was changed.",
        hint: "Give --length a distance such as 4.0.0 or 2s.")
    }
    let edited = try apply(.inserting(ticks, at: position), to: tracks, from: position, for: ticks)
    note("Inserted time at \(map.barBeatTick(at: position))")
    return edited
  }

  /// Deletes the time of a range and what lies in it; what comes after moves up.
  /// - Throws: `Failure`, `TimeEditError`.
  public func deleteTime(_ range: Range<TickPosition>, tracks: [String]) throws -> TimeEdited {
    let map = try tempoMap()
    let edited = try apply(
      .deleting(range), to: tracks, from: range.lowerBound, for: range.upperBound - range.lowerBound)
    note("Deleted time from \(map.barBeatTick(at: range.lowerBound)) to \(map.barBeatTick(at: range.upperBound))")
    return edited
  }

  /// Inserts copies of a range; each begins where the one before ends.
  /// - Throws: `Failure`, also if that would make more than `maximumCopyCount` regions; `TimeEditError`.
  public func copyTime(
    _ range: Range<TickPosition>, to position: TickPosition, count: Int, tracks: [String]
  ) throws -> TimeEdited {
    let map = try tempoMap()
    let length = range.upperBound - range.lowerBound
    let only = try trackIDs(tracks)
    let copied = try view.all(Region.self).count { region in
      only?.contains(region.track) ?? true && map.ticks(at: region.start) < range.upperBound
        && map.ticks(at: region.end(in: map)) > range.lowerBound
    }
    try requireCopyCount(copied * count)
    let edited = try apply(
      .copying(range, to: position, count: count), to: tracks, from: position,
      for: TickCount(ticks: length.ticks * Int64(count)))
    note(
      "Copied time from \(map.barBeatTick(at: range.lowerBound)) to \(map.barBeatTick(at: range.upperBound)) "
        + "at \(map.barBeatTick(at: position))")
    return edited
  }

  private func apply(
    _ layout: TimelineLayout, to tracks: [String], from start: TickPosition, for length: TickCount
  ) throws -> TimeEdited {
    let only = try trackIDs(tracks)
    var edit = TimeEdit(layout, of: try timeSource(), map: try tempoMap(), tracks: only)
    for step in try edit.edits() { try apply(step) }
    return TimeEdited(start: start, length: length, counts: edit.counts, cuts: edit.cuts, lastingKey: edit.lastingKey)
  }

  /// - Returns: `nil`: all.
  private func trackIDs(_ references: [String]) throws -> Set<TrackID>? {
    references.isEmpty ? nil : Set(try references.map { try view.track(calledBy: $0).id })
  }

  private func timeSource() throws -> TimeEdit.Source {
    let view = self.view
    return TimeEdit.Source(
      project: try view.projectWithoutContents(), notes: { try view.notes(in: $0) },
      events: { try view.events(in: $0) }, lanePoints: { try view.points(of: $0) },
      firstID: { [self] kind in try firstID(of: kind.entity) },
      freeNames: { [self] names, track in try freeNames(names, on: track) })
  }

  private func firstID<E: Entity>(of entity: E.Type) throws -> Int64 { try newID(of: entity).rawValue }
}

/// What inserting, deleting or copying time came to.
public struct TimeEdited: Sendable {
  /// Where time was put in or taken out, and how much.
  public var start: TickPosition
  public var length: TickCount
  public var counts: TimeEdit.Counts
  /// Fades and crossfades that sound otherwise than before.
  public var cuts: TimeEdit.Cuts
  /// The first place where a key signature holds on that had none before.
  public var lastingKey: TimeEdit.LastingKey?
}

extension TickPosition {
  /// Where the tempo that holds before the position can be asked for: at the position itself unless another tempo
  /// begins there, which is none that a ramp arrives at.
  fileprivate func heldBefore(in map: TempoMap) -> TickPosition {
    guard self > .zero, let index = map.tempos.firstIndex(where: { $0.position == self }), index > 0,
      !map.tempos[index - 1].isRamp
    else { return self }
    return self - TickCount(ticks: 1)
  }
}
