import DAWTime

/// How notes are brought to a grid.
public struct Quantization: Hashable, Sendable {
  public var grid: Grid
  /// How far each note goes towards its line: 0 leaves it, 100 puts it there.
  public var strength: Percentage
  /// Whether a note's end goes to its nearest line as well; else its length stays.
  public var includesEnds: Bool

  public init(grid: Grid, strength: Percentage = Percentage(100), includesEnds: Bool = false) {
    self.grid = grid
    self.strength = strength
    self.includesEnds = includesEnds
  }
}

extension ChosenNotes {
  /// Moves each note towards the nearest line of the grid, of two as near the later one. With ends, no note becomes shorter
  /// than to the next line.
  public func quantized(_ quantization: Quantization, in map: TempoMap) -> NoteChanges {
    let grid = quantization.grid
    return changing { note in
      let (start, end) = (self.start + note.start, self.start + note.end)
      let line = map.line(of: grid, nearest: start)
      let shift = quantization.strength.of((line - start).ticks)
      note.start = TickCount(ticks: note.start.ticks + shift)
      guard quantization.includesEnds else { return }
      var endLine = map.line(of: grid, nearest: end)
      if endLine <= line { endLine = map.line(of: grid, after: line) }
      let endShift = quantization.strength.of((endLine - end).ticks)
      note.duration = TickCount(ticks: max(1, note.duration.ticks + endShift - shift))
    }
  }
}
