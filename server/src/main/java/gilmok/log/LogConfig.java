package gilmok.log;

import java.time.Duration;

/**
 * The log's limits.
 *
 * @param segmentBytes size of a segment's file
 * @param groupBytesMax the most bytes that wait for one fsync; also the largest {@link AppendBatch}
 * @param groupTicketsMax the most appends that wait for one fsync
 * @param bytesMax the most bytes of all segments together, prepared ones included
 * @param retention how long a segment is kept after its last record, once every cursor has passed
 *     it
 * @param repeatsMax how many records back a repeat is recognised
 * @param snapshotInterval how often the deduplication table is saved
 * @param whenFull what happens when there is no room and only slow readers keep segments from being
 *     deleted
 * @param commitInterval how far apart commits begin while appends come faster than that; a lone
 *     append waits for none
 */
public record LogConfig(
    int segmentBytes,
    int groupBytesMax,
    int groupTicketsMax,
    long bytesMax,
    Duration retention,
    int repeatsMax,
    Duration snapshotInterval,
    WhenFull whenFull,
    Duration commitInterval) {

  /** So long that a busy machine shares its wake-ups, and no phone notices it. */
  public static final Duration COMMIT_INTERVAL = Duration.ofNanos(800_000);

  /**
   * The group's header, the counts before it, an earlier process's footer, and the footer to come.
   */
  private static final int OVERHEAD_BYTES = BatchFormat.HEADER_BYTES + 3 * SegmentFooter.BYTES_MAX;

  /** What to do when the log is full and a reader has not read its oldest segment yet. */
  public enum WhenFull {
    /** Appends are refused until it has. */
    REFUSE,
    /** Readers with a {@link Cursor.OnFull} give up records that they have not read. */
    DETACH
  }

  /** 64 MiB segments, 8 MiB groups, 16 GiB of log, 7 days, 4 million repeats, saved each minute. */
  public static final LogConfig DEFAULTS =
      new LogConfig(
          64 << 20,
          8 << 20,
          65_536,
          16L << 30,
          Duration.ofDays(7),
          4_000_000,
          Duration.ofMinutes(1));

  /** Limits of a log that refuses appends when it is full. */
  public LogConfig(
      int segmentBytes,
      int groupBytesMax,
      int groupTicketsMax,
      long bytesMax,
      Duration retention,
      int repeatsMax,
      Duration snapshotInterval) {
    this(
        segmentBytes,
        groupBytesMax,
        groupTicketsMax,
        bytesMax,
        retention,
        repeatsMax,
        snapshotInterval,
        WhenFull.REFUSE);
  }

  /** Limits of a log that commits {@link #COMMIT_INTERVAL} apart. */
  public LogConfig(
      int segmentBytes,
      int groupBytesMax,
      int groupTicketsMax,
      long bytesMax,
      Duration retention,
      int repeatsMax,
      Duration snapshotInterval,
      WhenFull whenFull) {
    this(
        segmentBytes,
        groupBytesMax,
        groupTicketsMax,
        bytesMax,
        retention,
        repeatsMax,
        snapshotInterval,
        whenFull,
        COMMIT_INTERVAL);
  }

  /** Checks the relations between the values. */
  public LogConfig {
    require(
        groupBytesMax > 0
            && (long) segmentBytes - SegmentFormat.HEADER_BYTES - OVERHEAD_BYTES >= groupBytesMax,
        "a segment must hold at least one group");
    require(groupTicketsMax > 0, "a group holds at least one append");
    require(bytesMax >= 3L * segmentBytes, "the log must hold at least three segments");
    require(
        repeatsMax > 0 && repeatsMax <= DedupTable.CAPACITY_MAX,
        "repeats must be between 1 and " + DedupTable.CAPACITY_MAX);
    require(!retention.isNegative(), "retention cannot be negative");
    require(snapshotInterval.toMillis() > 0, "the repeats are saved at most each millisecond");
    require(!commitInterval.isNegative(), "commits cannot begin before the ones before");
  }

  private static void require(boolean holds, String otherwise) {
    if (!holds) {
      throw new IllegalArgumentException(otherwise);
    }
  }
}
