package gilmok.log;

import gilmok.background.WakeSignals;
import gilmok.background.WorkWatchdog;
import gilmok.storage.Disk;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.zip.CRC32C;

/**
 * The log's one writer thread: takes the group that has gathered, writes it as one batch, forces
 * it, calls the group's completions, and takes the next. Any failure is final.
 */
final class LogWriter implements Runnable {
  private final LogContext context;
  private final Disk disk;
  private final Path folder;
  private final Disk.OpenFolder names;
  private final InstantSource clock;
  private final AppendQueue queue;
  private final SegmentPreallocator preallocator;
  private final Segments segments;
  private final StreamCounter counter;
  private final CRC32C crc = new CRC32C();
  private final WorkWatchdog watchdog = new WorkWatchdog();
  private final WakeSignals readers = new WakeSignals();
  private final WakeSignals earlyReaders = new WakeSignals();
  private final List<CommitListener> listeners = new CopyOnWriteArrayList<>();
  private final CommittedRecords committed = new CommittedRecords();
  private final SequenceReserve reserve;

  private Disk.File active;
  private boolean marked;
  private long epoch;
  private long position;
  private volatile long durable;

  /** Whether records are shown to early readers before they are forced. */
  private volatile boolean isEarly;

  /** The last sequence that early readers may see; not kept up unless there are any. */
  private volatile long written;

  LogWriter(
      LogContext context,
      Path folder,
      AppendQueue queue,
      SegmentPreallocator preallocator,
      Segments segments,
      Recovery.Active found,
      StreamCounter counter,
      SequenceReserve reserve)
      throws IOException {
    this.context = context;
    this.counter = counter;
    this.reserve = reserve;
    this.disk = context.disk();
    this.folder = folder;
    this.names = disk.openFolder(folder);
    this.clock = context.clock();
    this.queue = queue;
    this.preallocator = preallocator;
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

  /** Fired when more is durable, after those who wait for their append were answered. */
  WakeSignals readers() {
    return readers;
  }

  /** Who is told of each group that is committed, after those who wait for it were answered. */
  List<CommitListener> listeners() {
    return listeners;
  }

  /** Shows records to early readers from now on, which are then fired before a group is forced. */
  void readEarly() {
    written = durable;
    isEarly = true;
  }

  /** The last sequence that early readers may see. From any thread. */
  long written() {
    return isEarly ? Math.max(written, durable) : durable;
  }

  /** Fired when early readers may see more. */
  WakeSignals earlyReaders() {
    return earlyReaders;
  }

  /** How long the commit under way has lasted; 0 when there is none. From any thread. */
  double seconds() {
    return watchdog.seconds();
  }

  @Override
  public void run() {
    try {
      for (CommitGroup group = queue.take(); group != null; group = queue.take()) {
        watchdog.begin();
        commit(group);
        watchdog.end();
        queue.recycle(group);
      }
      writeFooter();
      active.close();
      names.close();
    } catch (IOException | InterruptedException | RuntimeException | Error failure) {
      watchdog.end();
      queue.close();
      context.onFailure().accept(failure);
    }
  }

  private void commit(CommitGroup group) throws IOException, InterruptedException {
    if (group.rolls()) {
      roll(group.firstSequence());
    }
    if (group.count() == 0) {
      if (group.rolls()) {
        active.force(); // the footer at its head
      }
      long now = System.nanoTime();
      answer(group, now, now);
      return;
    }
    long start = System.nanoTime();
    write(group.batch(), group.firstSequence(), group.count());
    long forcing = System.nanoTime();
    long last = group.firstSequence() + group.count() - 1;
    boolean isShown = isEarly && show(group, last);
    active.force();
    long forced = System.nanoTime();
    if (!isShown) {
      // First, so that every record up to the durable sequence is counted.
      counter.add(group);
    }
    durable = last;
    answer(group, start, forced);
    tell(group);
    readers.fire();
    if (isEarly && !isShown) {
      earlyReaders.fire();
    }
    context
        .meter()
        .committed(group, forcing - start, forced - forcing, forced - group.firstNanos());
  }

  /**
   * Shows a group that is written, and not forced yet, to early readers. Where no sequences are
   * reserved they see it when it is forced: nothing here waits for the reserve.
   */
  private boolean show(CommitGroup group, long last) {
    if (!reserve.covers(last)) {
      return false;
    }
    counter.add(group); // first, so that whatever a reader settles is counted
    written = last;
    earlyReaders.fire();
    return true;
  }

  private static void answer(CommitGroup group, long begun, long durable) {
    for (int i = 0; i < group.ticketCount(); i++) {
      group.ticket(i).durable(begun, durable);
    }
  }

  private void tell(CommitGroup group) {
    for (CommitListener listener : listeners) {
      committed.begin(group.batch());
      listener.committed(committed);
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
    SegmentPreallocator.Prepared next = preallocator.claim();
    writeFooter();
    active.close();
    disk.rename(next.path(), folder.resolve(SegmentFormat.fileName(firstSequence)));
    names.force();
    active = next.file();
    epoch = next.header().epoch();
    position = SegmentFormat.HEADER_BYTES;
    marked = false;
    counter.isBefore(firstSequence, counter.counts());
    segments.named(firstSequence, active.size());
    // Forced with the group: the segment before may be deleted, and its footer with it.
    write(SegmentFooter.unsealed(counter.counts()), firstSequence, 0);
  }

  /**
   * Writes a batch without records: how many there were, and that everything before it was durable,
   * so that later damage is told from a torn tail. Forced before the next segment gets its name, so
   * that only the newest segment can end torn.
   */
  private void writeFooter() throws IOException {
    long left = active.size() - position;
    if (marked || left < BatchFormat.HEADER_BYTES) {
      return;
    }
    // An earlier version left less room: write a footer without counts, as that version did.
    ByteBuffer footer = SegmentFooter.unsealed(counter.counts());
    write(
        left >= footer.limit() ? footer : ByteBuffer.allocate(BatchFormat.HEADER_BYTES),
        durable + 1,
        0);
    active.force();
    marked = true;
  }
}
