package gilmok.log;

import gilmok.background.WorkWatchdog;
import gilmok.storage.Disk;
import gilmok.storage.DiskFullException;
import gilmok.storage.NodeId;
import java.io.IOException;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * Keeps the next segment ready: a file of full size, written with zeros and forced, so that a
 * commit into it neither runs out of room nor has to allocate. A failure here is not final: it is
 * retried each second, and appends are refused only when they need the segment.
 *
 * <p>Runs on its own thread; {@link #claim} is called on the writer's.
 */
final class SegmentPreallocator implements Runnable {
  private static final Logger LOGGER = System.getLogger("gilmok.log");
  private static final int CHUNK_BYTES = 1 << 20;

  private final Disk disk;
  private final Path folder;
  private final LogConfig config;
  private final NodeId node;
  private final InstantSource clock;
  private final RandomGenerator random;
  private final Segments segments;
  private final Room room;
  private final Runnable ready;
  private final LogWaits waits;
  private final Consumer<Throwable> onFailure;
  private final SynchronousQueue<Prepared> handover = new SynchronousQueue<>();
  private final WorkWatchdog watchdog = new WorkWatchdog();
  private volatile @Nullable String trouble;
  private long made;

  /**
   * @param room makes room for one more segment
   * @param ready called when {@link #claim} will find a segment without waiting for the disk
   */
  SegmentPreallocator(
      LogContext context,
      Path folder,
      LogConfig config,
      NodeId node,
      Segments segments,
      Room room,
      Runnable ready,
      LogWaits waits) {
    this.waits = waits;
    this.onFailure = context.onFailure();
    this.disk = context.disk();
    this.folder = folder;
    this.config = config;
    this.node = node;
    this.segments = segments;
    this.clock = context.clock();
    this.random = context.random();
    this.room = room;
    this.ready = ready;
  }

  /** Makes room by deleting segments that may go. */
  interface Room {
    /** Deletes until the log's size limit allows another segment; false when it does not. */
    boolean underTheBound() throws InterruptedException;

    /** On a full disk: deletes a segment; false when none may go. */
    boolean onTheDisk() throws InterruptedException;
  }

  /** A segment that is ready but has no name yet. */
  record Prepared(Disk.File file, Path path, SegmentFormat.Header header) {}

  /** The prepared segment. Called only after {@code ready}, so it does not wait for the disk. */
  Prepared claim() throws InterruptedException {
    return handover.take();
  }

  /** Whether the last attempt failed: the disk is full, or the log is at its size limit. */
  boolean isTroubled() {
    return trouble != null;
  }

  /** Why the last attempt failed; null when it did not. */
  @Nullable String trouble() {
    return trouble;
  }

  /** How long it has been making a segment; 0 when it is not. From any thread. */
  double seconds() {
    return watchdog.seconds();
  }

  /** Deletes what an earlier process had prepared, or was rewriting. */
  void deleteLeftovers() throws IOException {
    for (String name : disk.list(folder)) {
      if (name.startsWith(SegmentFormat.PREPARED_PREFIX)
          || name.startsWith(SegmentFormat.REWRITTEN_PREFIX)) {
        disk.delete(folder.resolve(name));
      }
    }
  }

  @Override
  public void run() {
    try {
      while (!Thread.interrupted()) {
        watchdog.begin();
        Prepared prepared = attempt();
        watchdog.end();
        if (prepared == null) {
          TimeUnit.MILLISECONDS.sleep(waits.retry());
          continue;
        }
        offer(prepared);
      }
    } catch (InterruptedException stopped) {
      Thread.currentThread().interrupt();
    } catch (RuntimeException | Error bug) {
      onFailure.accept(bug);
    }
  }

  private void offer(Prepared prepared) throws InterruptedException {
    ready.run();
    try {
      handover.put(prepared);
    } catch (InterruptedException stopped) {
      discard(prepared.file(), prepared.path());
      throw stopped;
    }
  }

  private @Nullable Prepared attempt() throws InterruptedException {
    try {
      if (!room.underTheBound()) {
        report("the log is at its bound (log.bytes-max) and no segment may be deleted yet", null);
        return null;
      }
      Prepared prepared = prepareOnFullDisk();
      if (trouble != null) {
        LOGGER.log(Level.INFO, "segments can be prepared again; the log accepts records");
      }
      trouble = null;
      return prepared;
    } catch (IOException cannot) {
      if (Thread.currentThread().isInterrupted()) {
        throw new InterruptedException();
      }
      report("the next segment cannot be made ready, trying again each second", cannot);
      return null;
    }
  }

  /**
   * Segments that every reader has passed are kept only while there is room, so delete them first.
   */
  private Prepared prepareOnFullDisk() throws IOException, InterruptedException {
    while (true) {
      try {
        return prepare(waits.pause());
      } catch (DiskFullException full) {
        if (!room.onTheDisk()) {
          throw full;
        }
      }
    }
  }

  private void report(String what, @Nullable IOException cause) {
    String text = cause == null ? what : what + ": " + cause.getMessage();
    if (trouble == null) {
      LOGGER.log(Level.WARNING, text);
    }
    trouble = text;
  }

  /** Makes a segment now; 0 for no pause after each piece. */
  Prepared prepare(int pauseMillis) throws IOException, InterruptedException {
    // A new name each time: the writer may not have renamed the previous segment yet.
    Path path = folder.resolve(SegmentFormat.PREPARED_PREFIX + ++made);
    Disk.File file = disk.create(path);
    try {
      SegmentFormat.Header header =
          new SegmentFormat.Header(node, random.nextLong() | 1, clock.millis());
      fill(file, header, pauseMillis);
      disk.forceFolder(folder);
      segments.prepared(config.segmentBytes());
      return new Prepared(file, path, header);
    } catch (IOException | InterruptedException failed) {
      discard(file, path);
      throw failed;
    }
  }

  /**
   * Fills in small chunks, each forced, with pauses: one long flush would hold up the writer's
   * fsyncs.
   */
  private void fill(Disk.File file, SegmentFormat.Header header, int pauseMillis)
      throws IOException, InterruptedException {
    ByteBuffer chunk = ByteBuffer.allocateDirect(Math.min(CHUNK_BYTES, config.segmentBytes()));
    SegmentFormat.write(header, chunk);
    chunk.clear();
    for (long at = 0; at < config.segmentBytes(); at += chunk.capacity()) {
      chunk.position(0).limit((int) Math.min(chunk.capacity(), config.segmentBytes() - at));
      file.write(chunk, at);
      file.force();
      if (at == 0) {
        chunk.clear().put(new byte[SegmentFormat.HEADER_BYTES]);
      }
      if (pauseMillis > 0) {
        TimeUnit.MILLISECONDS.sleep(pauseMillis);
      }
    }
  }

  private void discard(Disk.File file, Path path) {
    try {
      file.close();
      disk.delete(path);
    } catch (IOException leftover) {
      // The next start deletes it.
      LOGGER.log(Level.DEBUG, "a prepared segment is left; the next start deletes it", leftover);
    }
  }
}
