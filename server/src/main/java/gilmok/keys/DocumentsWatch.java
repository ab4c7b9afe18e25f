package gilmok.keys;

import gilmok.auth.Keys;
import gilmok.background.BackgroundLoop;
import gilmok.background.BackgroundLoops;
import gilmok.documents.UnfitDocuments;
import gilmok.observe.Meters;
import gilmok.observe.Readiness;
import gilmok.observe.Readiness.Lack;
import java.io.IOException;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Tells whether the documents can be used. If other nodes share them, it checks once a second
 * whether they answer and are fit for use, and whether those nodes have changed the keys; else
 * readiness is told whether they can be written. Thread-safe.
 */
public final class DocumentsWatch implements AutoCloseable {
  private static final System.Logger LOG = System.getLogger("gilmok.app");
  private static final String PART = "documents";

  private static final long LOOK_NANOS = 1_000_000_000L;
  private static final Duration END = Duration.ofMillis(100);

  /**
   * Every how many rounds all keys are read again, even if no change was counted: a node may have
   * died before it counted one.
   */
  private static final int WHOLE_EVERY = 60;

  /** Every how many rounds the indexes are checked. */
  private static final int INDEXES_EVERY = 10;

  /** Every how many rounds a lasting fault is logged again, with its present state. */
  private static final int COMPLAIN_EVERY = 30;

  private final SharedDocuments documents;
  private final Keys keys;
  private final Readiness readiness;
  private final @Nullable BackgroundLoop loop;
  private volatile long seenNanos = System.nanoTime();
  private boolean failed;
  private int rounds;

  /** What was lost while the documents were in use; empty when nothing was. */
  private String lost = "";

  public DocumentsWatch(
      SharedDocuments documents,
      Keys keys,
      Readiness readiness,
      Meters meters,
      BackgroundLoops loops) {
    this.documents = documents;
    this.keys = keys;
    this.readiness = readiness;
    meters.gauge("gilmok_keys", "Keys kept.", keys::size);
    meters.gauge("gilmok_keys_max", "The bound of gilmok_keys.", keys::sizeMax);
    meters.gauge(
        "gilmok_keys_unreadable",
        "Stored keys that cannot be read and authenticate nobody.",
        keys::damaged);
    if (documents.areShared()) {
      meters.gauge(
          "gilmok_keys_age_seconds",
          "Time since the keys were last compared with the database's.",
          () -> (System.nanoTime() - seenNanos) / 1e9);
      BackgroundLoop one = loops.optional(PART, "documents are not checked", this::look);
      loop = one;
      one.start();
    } else {
      loop = null;
      readiness.condition(PART, this::lack);
    }
  }

  /** Sets the usual rate of keys, and reads all keys again for their own rates. */
  public void usualRate(int rate) {
    keys.usualRate(rate);
    try {
      keys.reload();
    } catch (IOException away) {
      LOG.log(
          Level.WARNING,
          "the keys could not be read again; the known ones stay in force: {0}",
          away.getMessage());
    }
  }

  private long look() throws InterruptedException {
    lookAtShared();
    return LOOK_NANOS;
  }

  /**
   * What a file lacks. The server is ready all the same: collecting and reading need no write, and
   * no other node has these documents.
   */
  private @Nullable Lack lack() {
    String fault = documents.fault();
    return fault == null ? null : new Lack(fault, true);
  }

  private void lookAtShared() throws InterruptedException {
    try {
      lookAtSharedOnce();
      if (failed) {
        readiness.ready(PART);
        LOG.log(Level.INFO, "the documents answer again, and lack nothing");
      }
      failed = false;
    } catch (UnfitDocuments unfit) {
      // Not ready: a new version that needs another index must not replace the old one.
      readiness.notReady(PART, String.valueOf(unfit.getMessage()));
      complain(unfit);
    } catch (IOException e) {
      readiness.lacks(PART, String.valueOf(e.getMessage()));
      // The keys in memory stay in force: a database that is away must not stop collecting.
      complain(e);
    }
  }

  /** Refreshes the keys even where something else is lacking, as collecting needs nothing more. */
  private void lookAtSharedOnce() throws IOException, InterruptedException {
    UnfitDocuments unfit = null;
    try {
      documents.prepare();
    } catch (UnfitDocuments lacking) {
      unfit = lacking;
    }
    if (++rounds % WHOLE_EVERY == 0) {
      keys.reload();
    } else {
      keys.refresh();
    }
    seenNanos = System.nanoTime();
    if (unfit != null) {
      throw unfit;
    }
    if (rounds % INDEXES_EVERY == 0) {
      List<String> lacking = documents.lookAgain();
      lost = String.join("; ", lacking);
    }
    if (!lost.isEmpty()) {
      // Still ready: all nodes have lost it at once, so none could take over from another.
      throw new IOException(lost);
    }
  }

  private void complain(IOException fault) {
    boolean isKnown = failed && rounds % COMPLAIN_EVERY != 0;
    LOG.log(
        isKnown ? Level.DEBUG : Level.WARNING,
        "the documents are unavailable or incomplete; known keys stay in force: "
            + fault.getMessage());
    failed = true;
  }

  @Override
  public void close() {
    try {
      if (loop != null) {
        loop.stop(END);
      }
    } catch (InterruptedException hurried) {
      Thread.currentThread().interrupt();
    }
  }
}
