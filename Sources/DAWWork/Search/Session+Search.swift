import DAWErrors
import DAWMedia
import DAWModel
import DAWProject
import DAWStore
import Foundation

extension Session {
  /// Searches the project's texts. The index in its cache is brought up to date first.
  /// - Throws: `Failure`.
  public func search(_ request: SearchRequest) throws -> SearchPage {
    let (place, key) = searchIndex
    return try failing {
      try OpenSearchIndex.use(place) { index in
        try store.read { view in
          try index.update(key, from: view)
          let track = try request.track.map { try view.track(calledBy: $0).id }
          var paging = SearchPaging(request)
          try index.forEachHit(request.query) { hit in
            guard hit.project == key else { return true }
            for result in try view.results(of: hit, request, on: track) { paging.add(result) }
            return !paging.isComplete
          }
          return paging.page
        }
      }
    }
  }

  /// Searches the texts of all projects below a folder. They share an index in the user's cache; a project is opened
  /// only if its file has changed since, or to show what was found in it.
  /// - Parameter request: without a range; a project that has no such track has no results.
  /// - Throws: `Failure`.
  public static func search(below folder: String, _ request: SearchRequest) throws -> SearchPage {
    try failing {
      let projects = try RecentProjects.folders(below: [folder])
      let cache = Place(root: UserFolders.cache())
      try? cache.makeRoot()
      return try OpenSearchIndex.use(cache) { index in
        var paging = SearchPaging(request)
        var open = OpenProjects()
        defer { open.closeAll() }
        let searched = try open.update(index, of: projects, below: folder, noting: &paging)
        var unreadable: Set<String> = []
        try index.forEachHit(request.query) { hit in
          guard let project = searched[hit.project], !unreadable.contains(hit.project) else { return true }
          let results: [SearchResult]
          do {
            results = try open.session(project).store.read { view -> [SearchResult] in
              guard let name = request.track else { return try view.results(of: hit, request, on: nil) }
              guard let track = try? view.track(calledBy: name) else { return [] }
              return try view.results(of: hit, request, on: track.id)
            }
          } catch {
            // The others can be searched nevertheless.
            unreadable.insert(hit.project)
            paging.note(unsearched: project, error)
            return true
          }
          for var result in results {
            result.project = project
            paging.add(result)
          }
          return !paging.isComplete
        }
        return paging.page
      }
    }
  }
}

/// Projects that stay open while several are searched.
private struct OpenProjects {
  private var sessions: [ProjectFolder: Session] = [:]
  private let maximumCount = 64

  mutating func session(_ folder: ProjectFolder) throws -> Session {
    if let session = sessions[folder] { return session }
    if sessions.count >= maximumCount { closeAll() }
    let session = try Session.open(folder)
    sessions[folder] = session
    return session
  }

  mutating func closeAll() {
    for session in sessions.values { session.close() }
    sessions = [:]
  }

  /// Brings the index up to date, and forgets the projects in it that are gone.
  /// - Returns: the projects that can be searched, by their keys in the index.
  mutating func update(
    _ index: SearchIndex, of projects: [ProjectFolder], below folder: String, noting paging: inout SearchPaging
  ) throws -> [String: ProjectFolder] {
    let known = try index.stamps()
    var searched: [String: ProjectFolder] = [:]
    for project in projects {
      let stamp = project.fileStamp
      if known[project.path] != stamp {
        do {
          let session = try Session.open(project)
          defer { session.close() }
          _ = try session.store.read { try index.update(project.path, stamp: stamp, from: $0) }
        } catch let fault as SearchIndex.Fault {
          throw fault
        } catch {
          paging.note(unsearched: project, error)
          try index.forget([project.path])
          continue
        }
      }
      searched[project.path] = project
    }
    let root = ProjectFolder(path: folder).path
    let beginning = root == "/" ? root : root + "/"
    try index.forget(known.keys.filter { ($0 == root || $0.hasPrefix(beginning)) && searched[$0] == nil })
    return searched
  }
}
