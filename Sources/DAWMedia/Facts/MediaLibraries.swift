import CSndFile
import CSoxr

/// The system libraries whose arithmetic is in audio files that are read or converted.
public enum MediaLibraries {
  /// As libsndfile writes it: `libsndfile-1.2.0`.
  public static var sndfileVersion: String { String(cString: sf_version_string()) }
  /// As soxr writes it: `libsoxr-0.1.3`.
  public static var soxrVersion: String { String(cString: soxr_version()) }
}
