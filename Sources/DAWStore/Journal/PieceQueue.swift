import Foundation
import GRDB
import Synchronization

/// Compresses pieces in order on another thread, while the caller adds more.
final class PieceQueue: Sendable {
  private let queue = DispatchQueue(label: "daw.journal.compression")
  private let done = Mutex<[DeflatedPiece?]>([])
  /// Bounds memory: `add` blocks while this many pieces are waiting to be compressed.
  private let room = DispatchSemaphore(value: 4)

  func add(_ bytes: [UInt8]) {
    room.wait()
    queue.async { [self] in
      let piece = DeflatedPiece(bytes[...])
      done.withLock { $0.append(piece) }
      room.signal()
    }
  }

  /// Waits until all pieces are compressed, and returns them in order.
  /// - Throws: `DatabaseError` if memory was exhausted.
  func finish() throws -> [DeflatedPiece] {
    try queue.sync { done.withLock(\.self) }.map { piece in
      guard let piece else { throw DatabaseError(resultCode: .SQLITE_NOMEM) }
      return piece
    }
  }
}
