import DAWMedia

/// The words of audio files that a bounce is asked for in.
public typealias AudioFileFormat = DAWMedia.AudioFileFormat
public typealias SampleEncoding = DAWMedia.SampleEncoding
