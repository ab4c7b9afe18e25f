package gilmok.audit;

import gilmok.collect.json.JsonDocument;
import gilmok.event.EventField;
import gilmok.event.EventView;
import gilmok.log.Follower;
import gilmok.log.LogReader;
import gilmok.log.Stream;
import gilmok.observe.Counter;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.locks.LockSupport;

/**
 * Follows the log and copies the entries of the audit into the documents. The cursor {@code audit}
 * keeps the position. Called by its follower's thread.
 */
final class AuditReader implements Follower.Taker {
  /** The name of its cursor. */
  static final String CURSOR = "audit";

  private static final long LOOK_NANOS = 5_000_000L;

  private final AuditContext context;
  private final Counter skipped;
  private final EventView view = new EventView();
  private final JsonDocument document = new JsonDocument();
  private final List<AuditStore.Row> rows = new ArrayList<>();

  /** The follower that calls it. */
  final Follower follower;

  AuditReader(AuditContext context) throws IOException, InterruptedException {
    this.context = context;
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
    rows.add(AuditStore.Row.of(id, key, json, context.retention()));
    return true;
  }

  @Override
  public void settle() throws IOException, InterruptedException {
    if (!rows.isEmpty()) {
      context.store().put(List.copyOf(rows), context.clock().millis());
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
