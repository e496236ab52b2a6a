/// Streams that are rendered before they are read, by any number of threads: the stages of a bounce, and the
/// instruments that are played live. Guarded by a monitor, which has the threads' loop.
///
/// A stream is busy from `take` to `finish`, so that one thread at a time renders it, in order: the number of threads
/// changes no sample.
protocol RenderSchedule {
  associatedtype Piece: RenderPiece
  /// What `finish` leaves to be freed outside of the lock.
  associatedtype Dropped

  /// Whether threads are to end.
  var isStopped: Bool { get }
  /// Seconds after which a thread without work looks again, where something may change outside of the monitor; else
  /// `nil`.
  var pollSeconds: Double? { get }

  /// Takes the next piece of the stream that is furthest behind, of those that have one to render and are not busy.
  mutating func take() -> Piece?

  /// Takes a piece back that has been rendered, or could not be.
  mutating func finish(_ piece: Piece) -> Dropped
}

/// A stream's next frames, in the hands of one thread.
protocol RenderPiece {
  /// Renders them, and keeps why they cannot be. Called without the lock.
  mutating func render()
}

/// What a thread that waits for a result goes on with.
private enum RenderOutcome<Result, Piece> {
  case result(Result)
  case piece(Piece)
}

/// What a thread does next.
private enum RenderTurn<Piece> {
  case render(Piece)
  /// Nothing now.
  case look
  case stop
}

extension Monitor where State: RenderSchedule {
  /// Waits until `body` returns a result, and meanwhile renders what there is to render.
  func render<Result>(until body: (inout State) -> Result?) -> Result {
    while true {
      let next = wait { state -> RenderOutcome<Result, State.Piece>? in
        if let result = body(&state) { return .result(result) }
        return state.take().map { .piece($0) }
      }
      switch next {
      case .result(let result): return result
      case .piece(let piece): render(piece)
      }
    }
  }

  /// Renders until the schedule is stopped.
  func renderUntilStopped() {
    while true {
      let turn: RenderTurn<State.Piece> =
        if let seconds = read({ $0.pollSeconds }) {
          wait(atMost: seconds, for: nextTurn) ?? .look
        } else {
          wait { state in nextTurn(&state) ?? (state.pollSeconds == nil ? nil : .look) }
        }
      switch turn {
      case .look: continue
      case .stop: return
      case .render(let piece): render(piece)
      }
    }
  }

  /// - Returns: `nil` if there is nothing to render now.
  private func nextTurn(_ schedule: inout State) -> RenderTurn<State.Piece>? {
    schedule.isStopped ? .stop : schedule.take().map { .render($0) }
  }

  private func render(_ piece: State.Piece) {
    var piece = piece
    piece.render()
    let dropped = update { $0.finish(piece) }
    _ = dropped
  }
}
