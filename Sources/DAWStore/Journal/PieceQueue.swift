import Foundation
import GRDB
import Synchronization

/// Compresses pieces one after the other on a thread of its own, while whoever adds them goes on.
final class PieceQueue: Sendable {
  private let queue = DispatchQueue(label: "daw.journal.compression")
  private let done = Mutex<[DeflatedPiece?]>([])
  /// Where compressing falls behind, whoever adds waits: so much memory and no more.
  private let room = DispatchSemaphore(value: 4)

  func add(_ bytes: [UInt8]) {
    room.wait()
    queue.async { [self] in
      let piece = DeflatedPiece(bytes[...])
      done.withLock { $0.append(piece) }
      room.signal()
    }
  }

  /// All pieces in order, when they are compressed.
  /// - Throws: `DatabaseError` where there was no memory for one.
  func finish() throws -> [DeflatedPiece] {
    try queue.sync { done.withLock(\.self) }.map { piece in
      guard let piece else { throw DatabaseError(resultCode: .SQLITE_NOMEM) }
      return piece
    }
  }
}
