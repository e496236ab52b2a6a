import DAWTime

/// How notes are aligned to a grid.
public struct Quantization: Hashable, Sendable {
  public var grid: Grid
  /// 0 leaves notes where they are, 100 moves them onto the grid.
  public var strength: Percentage
  /// Whether a note's end is quantized as well; otherwise its length stays.
  public var includesEnds: Bool

  public init(grid: Grid, strength: Percentage = Percentage(100), includesEnds: Bool = false) {
    self.grid = grid
    self.strength = strength
    self.includesEnds = includesEnds
  }
}

extension ChosenNotes {
  /// Moves each note towards the nearest grid line; of two equally near, the later one. With `includesEnds`, a note
  /// ends at least one grid line after its start.
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
