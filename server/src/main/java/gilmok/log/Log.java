package gilmok.log;

import gilmok.background.BackgroundLoop;
import gilmok.background.BackgroundLoops;
import gilmok.background.WakeSignal;
import gilmok.storage.Checkpoint;
import gilmok.storage.DataFolder;
import gilmok.storage.Disk;
import gilmok.storage.LockWatch;
import gilmok.storage.NodeId;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import java.util.function.LongConsumer;
import org.jspecify.annotations.Nullable;

/**
 * The log of a node: accepts records, answers when they are durable, and lets readers pull them.
 * The package's page describes how it works and what is in its files.
 *
 * <p>Thread-safe.
 */
public final class Log implements AutoCloseable {
  private final NodeId node;
  private final Disk disk;
  private final Path folder;
  private final LogConfig config;
  private final Segments segments;
  private final Cursors cursors;
  private final AppendQueue queue;
  private final LogWriter writer;
  private final SegmentPreallocator preallocator;
  private final ReceivedTimes times;
  private final Retention retention;
  private final StreamCounter counter;
  private final StreamCountIndex streamCountIndex;
  private final DedupSnapshot dedupSnapshot;
  private final SequenceReserve reserve;
  private final EarlyReads early;
  private final Housekeeper housekeeper;
  private final LogRewriter rewriter;
  private final LogThreads threads;
  private final AtomicBoolean failed = new AtomicBoolean();
  private final WriteStall stall;
  private final Consumer<Throwable> onFailure;

  /** Set once, before any other thread has this log. */
  private volatile @Nullable BackgroundLoop lockWatch;

  /**
   * Opens the log of a data folder that this process holds, repairs the torn end that a crash left,
   * and starts its threads.
   *
   * @throws DamagedLogException when something durable cannot be read
   */
  public static Log open(LogConfig config, LogContext context, Path data, NodeId node)
      throws IOException, InterruptedException {
    return open(config, context, data, node, LogWaits.REAL);
  }

  /** Opens it likewise. It fails for good if this process does not hold the folder any longer. */
  public static Log open(
      LogConfig config, LogContext context, DataFolder folder, BackgroundLoops loops)
      throws IOException, InterruptedException {
    Log log = open(config, context, folder.path(), folder.node(), LogWaits.REAL);
    log.lockWatch = LockWatch.begin(folder, loops, log::fail);
    return log;
  }

  static Log open(LogConfig config, LogContext context, Path data, NodeId node, LogWaits waits)
      throws IOException, InterruptedException {
    return new Log(config, context, data, node, waits);
  }

  private Log(LogConfig config, LogContext context, Path data, NodeId node, LogWaits waits)
      throws IOException, InterruptedException {
    this.node = node;
    this.config = config;
    this.disk = context.disk();
    this.folder = data.resolve("log");
    Path snapshots = data.resolve("snapshots");
    disk.createFolder(folder);
    disk.createFolder(snapshots);
    disk.forceFolder(folder); // a crash may have left names that are visible and not on disk yet
    disk.forceFolder(snapshots);
    segments = Segments.list(disk, folder);
    times = new ReceivedTimes(disk, segments);
    cursors = Cursors.open(disk, data.resolve("cursors"), this::durable, segments);
    dedupSnapshot = new DedupSnapshot(new Checkpoint(disk, snapshots.resolve("repeats")));
    retention =
        new Retention(
            context, folder, config, segments, times, cursors, dedupSnapshot::sequence, this::trim);
    onFailure = context.onFailure();
    LogContext watched =
        new LogContext(
            disk, context.clock(), context.random(), context.keys(), context.meter(), this::fail);
    preallocator =
        new SegmentPreallocator(
            watched, folder, config, node, segments, retention, this::nextSegmentReady, waits);
    preallocator.deleteLeftovers();
    DedupTable saved = dedupSnapshot.load(config.repeatsMax(), segments.begin() + 1);
    reserve = new SequenceReserve(new Checkpoint(disk, snapshots.resolve("sequences")));
    LogOpener logOpener =
        new LogOpener(disk, folder, config, node, segments, preallocator, reserve);
    logOpener.warnOfStrays();
    logOpener.checkChain();
    Recovery.Active active =
        logOpener.active(Math.max(cursors.furthest(), dedupSnapshot.sequence()));
    long last = active.nextSequence() - 1;
    StreamCounts all = logOpener.all(active);
    counter = new StreamCounter(all, last);
    all.subtract(active.counts());
    counter.isBefore(active.firstSequence(), all);
    streamCountIndex = new StreamCountIndex(disk, segments, counter, from -> early().reader(from));
    DedupTable dedupTable =
        dedupSnapshot.catchUp(
            saved,
            last,
            segments.behind(last, config.repeatsMax()),
            from -> new LogReader(disk, folder, segments, () -> last, false, from),
            context.keys());
    queue =
        new AppendQueue(
            config,
            dedupTable,
            context.clock(),
            active.nextSequence(),
            active.size() - active.position());
    writer =
        new LogWriter(watched, folder, queue, preallocator, segments, active, counter, reserve);
    early = new EarlyReads(disk, folder, segments, writer);
    housekeeper =
        new Housekeeper(
            config,
            retention,
            dedupSnapshot,
            queue,
            reserve,
            writer::durable,
            preallocator::isTroubled,
            waits,
            watched.onFailure());
    stall = new WriteStall(writer, preallocator, queue, segments, cursors);
    rewriter =
        new LogRewriter(watched, folder, segments, queue, writer, waits, streamCountIndex::forget);
    threads = LogThreads.start(writer, preallocator, housekeeper);
  }

  /**
   * Appends the records of a batch. Never blocks.
   *
   * @param completion called on the log's writer thread once everything is on disk, if the result
   *     is {@link AppendResult#TAKEN}
   */
  public AppendResult append(AppendBatch batch, AppendCompletion completion) {
    return queue.append(batch, completion);
  }

  /** The cursor of that name ({@code a-z 0-9 . -}), made before the oldest record if missing. */
  public Cursor cursor(String name) throws IOException, InterruptedException {
    return cursors.of(name);
  }

  /**
   * The cursor of that name, whose reader may have to give up records that it has not read.
   *
   * @param onFull called when the log is full, only such cursors hold its oldest segment, and
   *     {@code log.when-full} is {@code detach}
   */
  public Cursor cursor(String name, Cursor.OnFull onFull) throws IOException, InterruptedException {
    Cursor cursor = cursors.of(name);
    cursor.onFull(onFull);
    return cursor;
  }

  /** The names of all cursors, including those whose readers did not come back. */
  public List<String> cursors() {
    return cursors.names();
  }

  /** How far the reader of a cursor has come; one more than {@link #durable} if there is none. */
  public long sequenceOf(String cursor) {
    return cursors.sequenceOf(cursor);
  }

  /** The names of the cursors that were not requested since this log was opened. */
  public List<String> unreadCursors() {
    return cursors.unread();
  }

  /**
   * Marks a cursor, if it exists, as one without a reader while this log is open. It is kept; when
   * the log is full, its records are given up as those of a running reader would be.
   *
   * @param letGo gets the number of records that were given up unread; called on the log's
   *     preallocation thread
   */
  public void leaveOff(String cursor, LongConsumer letGo) {
    cursors.leaveOff(cursor, letGo);
  }

  /** Deletes a cursor: no records are kept for its reader. False if there is none. */
  public boolean forget(String cursor) throws IOException, InterruptedException {
    return cursors.forget(cursor);
  }

  /** How many records became durable, or were shown early, by stream, since the log was begun. */
  public StreamCounts accepted() {
    return counter.counts();
  }

  /**
   * How many records, by stream, since the log was begun, have a sequence up to {@code through}.
   * Reads at most one segment.
   *
   * <p>A {@link Cursor#lost} range before the oldest record can only be counted as a whole: for a
   * sequence in it, the answer is the count up to its end.
   *
   * @param through at least one less than {@link #oldestSequence}, or in such a range; at most
   *     {@link EarlyReads#written}
   */
  public StreamCounts acceptedThrough(long through) throws IOException {
    long begin = oldestSequence() - 1;
    boolean lost = through < begin && cursors.passedByAll() <= through;
    return streamCountIndex.through(lost ? begin : through);
  }

  /** The sequence of the oldest record in the log; one more than {@link #durable} if none. */
  public long oldestSequence() {
    Segments.Segment oldest = segments.oldest();
    return oldest == null ? durable() + 1 : oldest.firstSequence();
  }

  /**
   * The first sequence received at or after that time, epoch ms; one more than {@link #durable} if
   * none. Assumes that the clock was never set back.
   */
  public long sequenceAt(long millis) throws IOException {
    return times.sequenceAt(millis, durable(), this::reader);
  }

  /**
   * Where to begin to look for records of a stream: before the returned sequence there are none, as
   * the counts of the segments show; one more than {@link #durable} if there are none at all. A
   * damaged segment is taken to hold one. Reads footers.
   */
  public long firstOf(Stream stream, long from) throws IOException {
    return streamCountIndex.firstOf(stream, from);
  }

  /** The first sequence of the next segment, to go on after damage; else one after durable. */
  public long nextSegment(long sequence) {
    Segments.Segment next = segments.after(sequence);
    return next == null ? durable() + 1 : next.firstSequence();
  }

  /** A reader of all durable records from that sequence on, or from the oldest one that is left. */
  public LogReader reader(long from) {
    return new LogReader(disk, folder, segments, writer::durable, false, from);
  }

  /** The last sequence that is on disk; 0 before the first. */
  public long durable() {
    return writer.durable();
  }

  /** From now on, fires a signal whenever more is durable. It must cost next to nothing. */
  public void onDurable(WakeSignal signal) {
    writer.readers().add(signal);
  }

  /** From now on, tells a listener of each group of records that is committed. */
  public void onCommit(CommitListener listener) {
    writer.listeners().add(listener);
  }

  /** Reading records before they are forced. */
  public EarlyReads early() {
    return early;
  }

  /** Rewrites segments, so that records become tombstones or get other bytes. */
  public LogRewriter rewriter() {
    return rewriter;
  }

  /** The node this log belongs to. */
  public NodeId node() {
    return node;
  }

  /** Whether writing has failed for good. */
  public boolean isFailed() {
    return failed.get();
  }

  /** Whether the next segment cannot be made ready now. */
  public boolean isShortOfRoom() {
    return preallocator.isTroubled();
  }

  /** Why the log accepts nothing although it has not failed. */
  public WriteStall standstill() {
    return stall;
  }

  /** Bytes waiting to be written. */
  public long queueBytes() {
    return queue.queueBytes();
  }

  /** The limit of {@link #queueBytes}. */
  public long queueBytesMax() {
    return config.groupBytesMax();
  }

  /** Bytes of all segments. */
  public long bytes() {
    return segments.bytes();
  }

  /** The limit of {@link #bytes}. */
  public long bytesMax() {
    return config.bytesMax();
  }

  /** How many segments there are. */
  public int segments() {
    return segments.count();
  }

  /** When the oldest record was written, epoch ms. */
  public long oldestMillis() {
    return retention.oldestMillis();
  }

  /** How many records the deduplication table has now, so that their repeats are recognised. */
  public int repeats() {
    return queue.withRepeats(DedupTable::size);
  }

  /** The limit of {@link #repeats}. */
  public int repeatsMax() {
    return config.repeatsMax();
  }

  /** About when the oldest record in that table was received, epoch ms; if none, the argument. */
  public long repeatsOldestMillis(long nowMillis) {
    return queue.withRepeats(dedupTable -> dedupTable.oldestMillis(nowMillis));
  }

  /** Writes what was accepted, answers for it, and closes. Appends are refused from now on. */
  @Override
  public void close() throws IOException {
    queue.close();
    rewriter.close();
    try {
      BackgroundLoop watch = lockWatch;
      if (watch != null) {
        watch.stop(Duration.ofSeconds(1));
      }
      threads.join();
      streamCountIndex.close();
      if (!failed.get()) {
        dedupSnapshot.trySave(queue, writer::durable);
        reserve.end();
      }
    } catch (InterruptedException hurried) {
      Thread.currentThread().interrupt();
    }
  }

  /** Whether the next segment is ready, so that an append of any size finds room. For tests. */
  boolean isNextSegmentReady() {
    return queue.isNextSegmentReady();
  }

  /** Does the housekeeping now; call it only while the housekeeper sleeps. For tests. */
  void keep() throws InterruptedException {
    housekeeper.keep();
  }

  private void fail(Throwable why) {
    if (failed.compareAndSet(false, true)) {
      onFailure.accept(why);
    }
  }

  private void trim(long oldestSequence) throws IOException {
    streamCountIndex.forgetBefore(oldestSequence);
  }

  private void nextSegmentReady() {
    queue.nextSegmentReady();
  }
}
