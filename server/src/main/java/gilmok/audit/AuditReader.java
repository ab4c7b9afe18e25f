package gilmok.audit;

import gilmok.collect.json.JsonDocument;
import gilmok.event.EventField;
import gilmok.event.EventView;
import gilmok.log.Follower;
import gilmok.log.Log;
import gilmok.log.LogReader;
import gilmok.log.Stream;
import gilmok.observe.Counter;
import java.io.IOException;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.locks.LockSupport;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Follows the log and copies the entries of the audit into the documents. The cursor {@code audit}
 * keeps the position. Called by its follower's thread.
 */
final class AuditReader implements Follower.Taker {
  /** The name of its cursor. */
  static final String CURSOR = "audit";

  private static final Logger LOGGER = System.getLogger("gilmok.audit");
  private static final long LOOK_NANOS = 5_000_000L;

  private static final Pattern COPIED = Pattern.compile("\\[([0-9]{1,18}),([0-9]{1,18})]");

  /** The year 9999: the row of a node is not removed. */
  private static final long NEVER_MILLIS = 253_402_300_799_000L;

  private final AuditContext context;
  private final Counter skipped;
  private final EventView view = new EventView();
  private final JsonDocument document = new JsonDocument();
  private final List<AuditStore.Row> rows = new ArrayList<>();

  /** The id of this node's row: ids of entries are below it, so no page shows it. */
  private final String throughId;

  /** The last record that was taken. */
  private long taken;

  /** The follower that calls it. */
  final Follower follower;

  AuditReader(AuditContext context) throws IOException, InterruptedException {
    this.context = context;
    throughId = "through:" + context.log().node();
    skipped =
        context
            .meters()
            .counter(
                "gilmok_audit_skipped_records_total",
                "Records of the log that were given up before they were looked at for entries of"
                    + " the audit, as the log was full.");
    follower =
        Follower.ofRare(
            Stream.AUDIT,
            context.log(),
            CURSOR,
            this,
            context.loops(),
            "new entries of the audit are not shown");
  }

  /**
   * Waits until the records up to that sequence are copied, or given up; false when they are not
   * after {@code patience}. From any thread.
   */
  boolean awaitCopied(long sequence, Duration patience) throws InterruptedException {
    long until = System.nanoTime() + patience.toNanos();
    while (follower.settledThrough() < sequence) {
      if (System.nanoTime() - until > 0) {
        return false;
      }
      LockSupport.parkNanos(LOOK_NANOS);
      if (Thread.interrupted()) {
        throw new InterruptedException();
      }
    }
    return true;
  }

  /**
   * The documents themselves say how far they have the entries of this node: the cursor does not
   * know that somebody has put back an older file or has begun another.
   */
  @Override
  public long settledThrough(long settled) throws IOException, InterruptedException {
    Log log = context.log();
    Copied copied = copied();
    long accepted = entriesThrough(settled);
    if (copied.sequence >= settled || copied.entries == accepted) {
      return settled;
    }
    long begin = Math.min(settled, Math.max(copied.sequence, log.oldestSequence() - 1));
    long inLog = accepted - entriesThrough(begin);
    long gone = begin == copied.sequence ? 0 : accepted - inLog - copied.entries;
    if (inLog == 0 && gone > 0) {
      context.store().put(List.of(row(settled)), context.clock().millis()); // so it is said once
    }
    if (inLog > 0 || gone > 0) {
      LOGGER.log(
          Level.WARNING,
          "the documents have the entries of the audit up to sequence {0} only, and those up to"
              + " {1} were copied into them: they are from a backup, or were begun anew. {2}"
              + " entries are in the log and are copied again. {3} are not in the log any more, and"
              + " those that were never in it, as it was full, are not either: only a backup of"
              + " the documents has these",
          Long.toString(copied.sequence),
          Long.toString(settled),
          Long.toString(inLog),
          Long.toString(Math.max(0, gone)));
    }
    return inLog > 0 ? begin : settled;
  }

  private long entriesThrough(long sequence) throws IOException {
    return context.log().acceptedThrough(sequence).of(Stream.AUDIT);
  }

  /**
   * What the documents have of this node.
   *
   * @param sequence of the last entry that was copied
   * @param entries how many the log had taken until then
   */
  private record Copied(long sequence, long entries) {}

  private Copied copied() throws IOException, InterruptedException {
    AuditStore.Question mine = new AuditStore.Question(throughId, throughId + "!", null, 1);
    List<AuditStore.Row> found = context.store().page(mine, context.clock().millis());
    Matcher numbers = COPIED.matcher(found.isEmpty() ? "" : found.getFirst().json());
    return numbers.matches()
        ? new Copied(Long.parseLong(numbers.group(1)), Long.parseLong(numbers.group(2)))
        : new Copied(0, 0);
  }

  /** The row that says that the entries up to that sequence are copied. */
  private AuditStore.Row row(long through) throws IOException {
    String json = "[" + through + "," + entriesThrough(through) + "]";
    return new AuditStore.Row(throughId, "", json, NEVER_MILLIS, true);
  }

  @Override
  public boolean take(LogReader record) {
    if (record.stream() != Stream.AUDIT) {
      return false;
    }
    view.wrap(record.bytes(), record.offset(), record.length());
    String json = Objects.requireNonNull(view.text(EventField.ATTRIBUTES));
    int entry =
        document.read(
            view.bytes(), view.offset(EventField.ATTRIBUTES), view.length(EventField.ATTRIBUTES));
    String id = document.text(document.member(entry, "id"));
    String key = document.text(document.member(entry, "key"));
    if (id == null || !AuditId.isOne(id) || key == null) {
      throw new IllegalStateException("an entry of the audit without an id or a key");
    }
    boolean isLast = document.member(entry, "error") >= 0;
    taken = record.sequence();
    rows.add(AuditStore.Row.of(id, key, json, context.retention(), isLast));
    return true;
  }

  @Override
  public void settle() throws IOException, InterruptedException {
    if (!rows.isEmpty()) {
      List<AuditStore.Row> all = new ArrayList<>(rows);
      all.add(row(taken));
      context.store().put(all, context.clock().millis());
      rows.clear();
    }
  }

  @Override
  public void drop() {
    rows.clear();
  }

  @Override
  public void skipped(long records) {
    skipped.add(records);
  }
}
