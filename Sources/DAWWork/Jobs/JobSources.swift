import DAWModel
import DAWProject
import DAWStore

extension ProjectView {
  /// What jobs are about, for people: "Vox pass 2, segment 0" or a file's name of a transcription, the recording of a
  /// summary. A command has none, nor has what cannot be read.
  public func sources(of jobs: [Job]) -> [JobID: String] {
    var known: [SoundRange.Medium: String] = [:]
    var sources: [JobID: String] = [:]
    for job in jobs {
      if let medium = job.range?.medium {
        let text = known[medium] ?? (try? self.source(of: medium))
        known[medium] = text
        sources[job.id] = text
      } else if let recording = job.recording {
        sources[job.id] = (try? recordingEntry(recording))?.subject ?? "(removed recording)"
      }
    }
    return sources
  }
}
