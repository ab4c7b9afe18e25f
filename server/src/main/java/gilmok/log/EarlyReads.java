package gilmok.log;

import gilmok.background.WakeSignal;
import gilmok.storage.Disk;
import java.nio.file.Path;

/**
 * Reading a log's records before they are forced: for a destination whose acknowledgement counts in
 * place of this disk. A sequence that was shown is never given to another record, also when a power
 * loss takes its record from the log. Thread-safe.
 */
public final class EarlyReads {
  private final Disk disk;
  private final Path folder;
  private final Segments segments;
  private final LogWriter writer;

  EarlyReads(Disk disk, Path folder, Segments segments, LogWriter writer) {
    this.disk = disk;
    this.folder = folder;
    this.segments = segments;
    this.writer = writer;
  }

  /** From now on, records are shown when they are written, while they are being forced. */
  public void begin() {
    writer.readEarly();
  }

  /** The last sequence that is shown: the last durable one, unless {@link #begin} was called. */
  public long written() {
    return writer.written();
  }

  /** A reader of all records up to {@link #written}, likewise. */
  public LogReader reader(long from) {
    return new LogReader(disk, folder, segments, writer::written, false, from);
  }

  /** From now on, fires a signal whenever more is shown. It must cost next to nothing. */
  public void onWritten(WakeSignal signal) {
    writer.earlyReaders().add(signal);
  }
}
