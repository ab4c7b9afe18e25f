package gilmok.app;

import gilmok.auth.Keys;
import gilmok.observe.Meters;
import gilmok.observe.Readiness;
import java.io.IOException;
import java.lang.System.Logger.Level;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;

/**
 * Looks at the documents once a second: whether they take writes, and, where other nodes use the
 * same, what those have done to the keys. Thread-safe.
 */
final class DocumentsWatch implements AutoCloseable {
  private static final System.Logger LOG = System.getLogger("gilmok.app");
  private static final String PART = "documents";

  /** All keys are read again that often, whether or not a change was counted: a node can die. */
  private static final int WHOLE_EVERY = 60;

  private final Documents documents;
  private final Keys keys;
  private final Readiness readiness;
  private final ScheduledExecutorService timer =
      Executors.newSingleThreadScheduledExecutor(Thread.ofVirtual().name("documents").factory());
  private volatile long seenNanos = System.nanoTime();
  private boolean failed;
  private int rounds;

  DocumentsWatch(Documents documents, Keys keys, Readiness readiness, Meters meters) {
    this.documents = documents;
    this.keys = keys;
    this.readiness = readiness;
    if (documents.areShared()) {
      meters.gauge(
          "gilmok_keys_age_seconds",
          "How long ago the keys were last compared with those of the documents.",
          () -> (System.nanoTime() - seenNanos) / 1e9);
    }
    var _ = timer.scheduleWithFixedDelay(this::look, 1, 1, TimeUnit.SECONDS);
  }

  private void look() {
    if (!documents.areOpen()) {
      readiness.notReady(PART, "their disk failed; mend it and restart");
    }
    if (documents.areShared()) {
      compareKeys();
    }
  }

  private void compareKeys() {
    try {
      if (++rounds % WHOLE_EVERY == 0) {
        keys.reload();
      } else {
        keys.refresh();
      }
      seenNanos = System.nanoTime();
      if (failed) {
        readiness.ready(PART);
      }
      failed = false;
    } catch (IOException e) {
      readiness.lacks(PART, String.valueOf(e.getMessage()));
      // Those in memory stay in force: a database that is away must not stop the collecting.
      LOG.log(failed ? Level.DEBUG : Level.WARNING, "the keys are not compared: " + e.getMessage());
      failed = true;
    } catch (RuntimeException e) {
      LOG.log(Level.ERROR, "the keys are not compared", e);
    }
  }

  @Override
  public void close() {
    timer.shutdownNow();
  }
}
