import CSndFile
import CSoxr

/// Versions of the system libraries that decode and resample audio.
public enum MediaLibraries {
  /// Such as `libsndfile-1.2.0`.
  public static var sndfileVersion: String { String(cString: sf_version_string()) }
  /// Such as `libsoxr-0.1.3`.
  public static var soxrVersion: String { String(cString: soxr_version()) }
}
