import DAWErrors
import DAWMedia
import Foundation

extension IncomingMedia {
  /// Whether ffmpeg may read what was refused: where libsndfile knows a container and not what is in it, such as AAC in
  /// a WAV, it says no more than that the file is damaged.
  static func mayBeForFFmpeg(_ refusal: AudioFileError, of source: String) -> Bool {
    switch refusal {
    case .unrecognized: true
    case .damaged: !TakeManifest.isNamed(source)
    default: false
    }
  }

  /// A file that libsndfile does not read, as a WAV that ffmpeg makes of it. The model has no place for the original's
  /// name and hash; the remark says what was done.
  /// - Parameter refusal: libsndfile's, which is thrown where it says that the file is damaged and ffmpeg does not read
  ///   it either.
  /// - Throws: `MediaWorkError`, `AudioFileError`, `Failure` where ffmpeg is not installed or the file is to stay where
  ///   it is.
  func conversion(of file: IncomingFile, at source: String, refusal: AudioFileError) throws -> Arrival {
    var damage: String?
    if case .damaged(_, let reason) = refusal { damage = reason }
    guard let ffmpeg = FFmpeg.find() else {
      let state = damage.map { "is damaged, or in a format that libsndfile does not read (\($0))" }
      throw Failure(
        .invalid, code: "invalidAudioFile",
        "'\(source)' \(state ?? "is in no audio format that libsndfile reads"), and ffmpeg, which reads more, is not "
          + "installed.",
        hint: "Install it ('apt install ffmpeg'), or convert the file to WAV or FLAC.")
    }
    if file.isLinked {
      if damage != nil, !ffmpeg.knows(source) { throw refusal }
      throw Failure(
        .usage, code: "invalidCombination",
        "'\(source)' cannot stay where it is: libsndfile does not read it, and ffmpeg converts it to a file of the "
          + "project. Nothing was changed.", hint: "Leave out --link, or link to a WAV made of it.")
    }
    let copy = try newCopy()
    let decoded: DecodedByFFmpeg
    let facts: AudioFileFacts
    do {
      decoded = try ffmpeg.decode(from: source, to: copy)
      facts = try Self.facts(ofCopy: copy, of: source)
    } catch MediaWorkError.reading(.undecodable(_, _)) where damage != nil {
      throw refusal
    } catch AudioFileError.noFrames(_) where damage != nil {
      throw refusal
    }
    let name = (source as NSString).lastPathComponent
    let complaint = decoded.complaint.map { " It complained of the file: \($0)." } ?? ""
    return Arrival(
      facts: facts, digest: try sha256(ofFile: copy.path), copy: copy,
      name: Self.name(name, ending: ".wav"),
      remark: "'\(name)' (\(decoded.codec)) was converted to a WAV, \(decoded.encoding), by ffmpeg \(ffmpeg.version). "
        + "The project keeps the WAV alone.\(complaint)")
  }

  /// Facts of a copy; an error names the file that the user did.
  static func facts(ofCopy copy: Place, of source: String) throws(AudioFileError) -> AudioFileFacts {
    do throws(AudioFileError) {
      return try AudioFileFacts.read(path: copy.path)
    } catch {
      throw error.path == copy.path ? error.of(source) : error
    }
  }

  /// The name with another ending, within what a file system takes.
  static func name(_ name: String, ending: String) -> String {
    var base = (name as NSString).deletingPathExtension
    while base.utf8.count + ending.utf8.count > Int(NAME_MAX) { base.removeLast() }
    return base + ending
  }
}
