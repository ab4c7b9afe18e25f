package gilmok.log;

import gilmok.background.AtWork;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.concurrent.locks.LockSupport;
import java.util.zip.CRC32C;
import org.jspecify.annotations.Nullable;

/**
 * The one thread that writes: takes what has gathered, writes it as one batch, forces it, answers
 * everyone who waited for it, and takes what has gathered meanwhile. Any failure is final.
 */
final class Writer implements Runnable, LogMeter.Commit {
  /** So many in one group: the processor is what is scarce, and larger groups spare it. */
  private static final int CROWD_TICKETS = 16;

  /**
   * Less than an fsync takes; costs a busy caller nothing it would notice and a lone one nothing.
   */
  private static final long CROWD_PAUSE_NANOS = 150_000;

  private final LogContext context;
  private final Disk disk;
  private final Path folder;
  private final Disk.OpenFolder names;
  private final InstantSource clock;
  private final Intake intake;
  private final Preparer preparer;
  private final Segments segments;
  private final Total total;
  private final CRC32C crc = new CRC32C();
  private final AtWork atWork = new AtWork();

  private Disk.File active;
  private boolean marked;
  private long epoch;
  private long position;
  private volatile long durable;

  private @Nullable Group committing;
  private long writeNanos;
  private long fsyncNanos;
  private long appendNanos;

  Writer(
      LogContext context,
      Path folder,
      Intake intake,
      Preparer preparer,
      Segments segments,
      Recovery.Active found,
      Total total)
      throws IOException {
    this.context = context;
    this.total = total;
    this.disk = context.disk();
    this.folder = folder;
    this.names = disk.openFolder(folder);
    this.clock = context.clock();
    this.intake = intake;
    this.preparer = preparer;
    this.segments = segments;
    this.active = found.file();
    this.epoch = found.header().epoch();
    this.position = found.position();
    this.marked = found.marked();
    this.durable = found.nextSequence() - 1;
  }

  /** The last sequence that is on disk. From any thread. */
  long durable() {
    return durable;
  }

  /** How long the commit under way has lasted; 0 when there is none. From any thread. */
  double seconds() {
    return atWork.seconds();
  }

  @Override
  public void run() {
    try {
      for (Group group = intake.take(); group != null; group = intake.take()) {
        int tickets = group.ticketCount();
        atWork.begin();
        commit(group);
        atWork.end();
        intake.recycle(group);
        if (tickets >= CROWD_TICKETS) {
          LockSupport.parkNanos(CROWD_PAUSE_NANOS);
        }
      }
      writeFooter();
      active.close();
      names.close();
    } catch (IOException | InterruptedException | RuntimeException | Error failure) {
      atWork.end();
      intake.close();
      context.onFailure().accept(failure);
    }
  }

  private void commit(Group group) throws IOException, InterruptedException {
    if (group.count() > 0) {
      if (group.rolls()) {
        roll(group.firstSequence());
      }
      long start = System.nanoTime();
      ByteBuffer batch = group.batch();
      write(batch, group.firstSequence(), group.count());
      long written = System.nanoTime();
      active.force();
      long forced = System.nanoTime();
      // First: what is durable is counted.
      total.add(group);
      durable = group.firstSequence() + group.count() - 1;
      writeNanos = written - start;
      fsyncNanos = forced - written;
      appendNanos = forced - group.firstNanos();
    }
    for (int i = 0; i < group.ticketCount(); i++) {
      group.ticket(i).durable();
    }
    if (group.count() > 0) {
      committing = group;
      context.meter().committed(this);
    }
  }

  private void write(ByteBuffer batch, long firstSequence, int count) throws IOException {
    int length = batch.limit();
    BatchFormat.seal(batch, length, epoch, firstSequence, clock.millis(), durable, count, crc);
    active.write(batch, position);
    position += length;
    marked = false;
  }

  private void roll(long firstSequence) throws IOException, InterruptedException {
    Preparer.Prepared next = preparer.claim();
    writeFooter();
    active.close();
    disk.rename(next.path(), folder.resolve(SegmentFormat.fileName(firstSequence)));
    names.force();
    active = next.file();
    epoch = next.header().epoch();
    position = SegmentFormat.HEADER_BYTES;
    marked = false;
    total.isBefore(firstSequence, total.counts());
    segments.named(firstSequence, active.size());
    // Forced with the group: the segment before may be deleted, and its footer with it.
    write(footer(), firstSequence, 0);
  }

  /**
   * A batch without records. It says how many there were, and that everything before it was
   * durable: later damage is told from a tear. Forced before the next segment has its name, so that
   * only the newest segment can end torn.
   */
  private void writeFooter() throws IOException {
    long left = active.size() - position;
    if (marked || left < BatchFormat.HEADER_BYTES) {
      return;
    }
    // An earlier program left less room: then it is the mark alone, as then.
    ByteBuffer batch =
        left >= Footer.BYTES ? footer() : ByteBuffer.allocate(BatchFormat.HEADER_BYTES);
    write(batch, durable + 1, 0);
    active.force();
    marked = true;
  }

  private ByteBuffer footer() {
    ByteBuffer batch = ByteBuffer.allocate(Footer.BYTES).position(BatchFormat.HEADER_BYTES);
    Footer.put(total.counts(), batch);
    return batch.flip();
  }

  private Group group() {
    if (committing == null) {
      throw new IllegalStateException("nothing was committed yet");
    }
    return committing;
  }

  @Override
  public int records(Stream stream) {
    return group().count(stream);
  }

  @Override
  public int records() {
    return group().count();
  }

  @Override
  public int bytes() {
    return group().size();
  }

  @Override
  public long writeNanos() {
    return writeNanos;
  }

  @Override
  public long fsyncNanos() {
    return fsyncNanos;
  }

  @Override
  public long appendNanos() {
    return appendNanos;
  }
}
