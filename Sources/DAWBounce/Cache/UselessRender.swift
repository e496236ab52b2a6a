import DAWMedia
import Glibc

/// A file in the cache of renders that no bounce reads again.
public struct UselessRender: Hashable, Sendable {
  /// Why no bounce reads it again.
  public enum Reason: Sendable {
    /// A killed process has left it incomplete.
    case abandoned
    /// Its bytes do not match its checksums or its name.
    case damaged
    /// It is of another format, or of another version of what computes it.
    case outdated
    /// The track that it was rendered for is gone.
    case orphaned
  }

  public var name: String
  public var reason: Reason

  /// Those in a folder, in order of name. Each file is read whole; nothing is changed.
  /// - Parameters:
  ///   - renderer: of instruments, as for `RenderCache`; `nil` if it is not known: then none of theirs is outdated.
  ///   - trackIDs: of all tracks and buses, and the master.
  public static func all(
    in place: Place, renderer: String?, stripRenderer: String = EngineArithmetic.description, trackIDs: Set<Int64>
  ) -> [UselessRender] {
    guard let folder = try? place.open() else { return [] }
    let renderers = [RenderKind.instrument: renderer, .strip: stripRenderer, .postFader: stripRenderer]
      .compactMapValues { $0.map(RenderKey.digest(ofRenderer:)) }
    return folder.names().compactMap { name in
      guard folder.status(of: name)?.isFile == true else { return nil }
      if name.contains(RenderCacheFolder.ending + RenderWriter.partialMark) {
        return folder.isAbandoned(name) ? UselessRender(name: name, reason: .abandoned) : nil
      }
      guard name.hasSuffix(RenderCacheFolder.ending) else { return nil }
      return reason(place.appending(name), folder, renderers, trackIDs).map { UselessRender(name: name, reason: $0) }
    }
  }

  private static func reason(
    _ place: Place, _ folder: Folder, _ renderers: [RenderKind: [UInt8]], _ trackIDs: Set<Int64>
  ) -> Reason? {
    if CachedRender.isOfOtherFormat(place.name, in: folder) { return .outdated }
    guard let render = CachedRender(at: place, key: nil),
      place.name == render.layout.key.name + RenderCacheFolder.ending
    else { return .damaged }
    if let current = renderers[render.layout.kind], current != render.layout.key.rendererDigest { return .outdated }
    if !trackIDs.contains(render.layout.trackID) { return .orphaned }
    return render.isWhole ? nil : .damaged
  }
}
