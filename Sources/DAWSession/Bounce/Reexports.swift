import DAWMedia

/// The words of audio files that a bounce is asked for in.
public typealias AudioFileFormat = DAWMedia.AudioFileFormat
public typealias SampleEncoding = DAWMedia.SampleEncoding
public typealias Dither = DAWMedia.Dither
public typealias Loudness = DAWMedia.Loudness
public typealias SignalStatistics = DAWMedia.SignalStatistics
