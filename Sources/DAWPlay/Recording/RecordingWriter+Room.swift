import DAWMedia

// Room on the disk. On the writing thread.
extension RecordingWriter {
  /// While the disk has unreserved room for fewer seconds than this, files give back the space that they have reserved.
  private static let leastUnheldSeconds: Int64 = 4

  /// Warns ten minutes ahead. Once no more is free than what is to stay free, frames go to the folder of `--spill`, or
  /// are a gap.
  func checkRoom(of folder: RecordingFolder) {
    guard let free = folder.freeByteCount.map({ min($0, 1 << 60) }), let current else { return }
    let channels = setup.tracks.reduce(0) { $0 + $1.channelCount }
    let perSecond = Int64(channels * setup.request.encoding.bytesPerSample * setup.sampleRate)
    // What files have reserved is room as well. Where little else is left, they give it back, so that all tracks can
    // use it.
    let held = current.tracks.compactMap(\.segmentWriter).reduce(0) { $0 + $1.heldByteCount }
    let left = free + held - setup.request.leastFreeBytes
    let isShort = free - setup.request.leastFreeBytes < Self.leastUnheldSeconds * perSecond
    for writer in current.tracks.compactMap({ $0 as? TrackWriter }) where isShort == writer.keepsSpace {
      if isShort || left > 700 * perSecond { writer.keepsSpace = !isShort }
    }
    for writer in current.tracks {
      switch writer.setRoom(left > 0) {
      case .lost?: post(.disk(.diskFull(path: folder.place.path), track: writer.track.name))
      case .spills(let elsewhere)?: post(.spills(track: writer.track.name, folder: elsewhere))
      case nil: break
      }
    }
    if left <= 0 { return }
    if left < 600 * perSecond, !hasWarnedOfRoom {
      hasWarnedOfRoom = true
      post(.roomRunsOut(seconds: Int(left / max(1, perSecond))))
    } else if left > 700 * perSecond {
      hasWarnedOfRoom = false
    }
  }
}
