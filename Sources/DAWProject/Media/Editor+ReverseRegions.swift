import DAWErrors
import DAWModel
import DAWStore
import DAWTime

extension Editor {
  /// Turns audio regions around: each plays the same part of its file from its end to its start, and its fades are
  /// exchanged, so that it sounds as before backwards. Done twice it is as it was, but for the fades of edges at which
  /// another region went on: they stay, as those of regions that are moved away and back do.
  public func reverseRegions(_ choice: RegionChoice) throws -> RegionEditReport {
    let chosen = try view.regions(chosenBy: choice)
    let notes = chosen.count { $0.regionType == .midi }
    guard notes == 0 else {
      throw Failure(
        .invalid, code: Rule.reversal.rawValue,
        "\(counted(notes, "region")) of \(chosen.count) hold\(notes == 1 ? "s" : "") notes, which are not reversed. "
          + "Nothing was changed.", hint: "Choose audio regions with --type audio.")
    }
    let map = try tempoMap()
    let turned = try chosen.map { region in
      var region = region
      guard var span = region.audio, let file = try view.audioFile(span.file) else { return region }
      span.isReversed.toggle()
      span.offset = file.duration - span.offset - span.duration
      region.content = .audio(span)
      return region
    }
    // The edges where a neighbour went on are faded before they change sides.
    let reversed = try fadeExposedEdges(from: chosen, to: turned, in: map).map { region in
      var region = region
      (region.fadeIn, region.fadeOut) = (region.fadeOut, region.fadeIn)
      return region
    }
    return try set(chosen, to: reversed, "Reversed")
  }
}
