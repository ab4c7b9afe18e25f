package gilmok.privacy;

import gilmok.background.BackgroundLoop;
import gilmok.background.BackgroundLoops;
import gilmok.event.DedupKey;
import gilmok.observe.Meters;
import gilmok.observe.Readiness;
import gilmok.warmup.Drainable;
import java.io.IOException;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.InstantSource;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * What counts for each rider: in the documents, and in memory for whom something is withheld. A
 * change is durable before it counts here. With MongoDB, a loop asks several times a second what
 * other nodes have changed, and reads all again now and then; a copy in the data folder counts
 * while MongoDB does not answer at a start.
 *
 * <p>Thread-safe; changes block.
 */
public final class Consents implements BackgroundLoop.Work, Drainable {
  private static final Logger LOGGER = System.getLogger("gilmok.privacy");

  /** How often this node asks what others have changed. */
  private static final long LOOK_NANOS = 300_000_000L;

  /** As changes become visible in nearly the order of their times, and clocks differ a little. */
  private static final long OVERLAP_MILLIS = 2_000;

  /** Somebody may have changed documents by hand, or another member has become the primary. */
  private static final long WHOLE_NANOS = 600_000_000_000L;

  /** How often the copy is saved while there are changes. */
  private static final long SAVE_NANOS = 10_000_000_000L;

  private static final int CHANGED_PAGES_MAX = 10;

  private final Means means;
  private final ConsentStore store;
  private final int max;
  private final BackgroundLoop loop;
  private final WithheldRiders riders;
  private volatile boolean isRead;
  private volatile long seenNanos = System.nanoTime();

  /** Riders whose consent this node has changed since the last question: their answer is older. */
  private final Set<String> changedHere = new HashSet<>();

  private final List<Watcher> watchers = new CopyOnWriteArrayList<>();
  private boolean isLoaded;
  private long sinceMillis;
  private long wholeNanos;
  private @Nullable String wholeAfter;
  private long savedVersion;
  private long savedNanos = System.nanoTime();

  private record Watcher(Purpose purpose, Consumer<String> hidden) {}

  /**
   * What consents need of a node.
   *
   * @param copy of what is withheld, in the data folder; null where the documents are there, too
   */
  public record Means(
      ConsentStore store,
      @Nullable ConsentCopy copy,
      Pseudonyms pseudonyms,
      InstantSource clock,
      Meters meters,
      BackgroundLoops loops,
      Readiness readiness) {}

  /**
   * Reads what is withheld; where nodes share the documents and these do not answer, from the copy.
   *
   * @throws IOException when the node's own documents cannot be read
   */
  public Consents(PrivacyConfig config, Means means) throws IOException, InterruptedException {
    this.means = means;
    store = means.store;
    riders = new WithheldRiders(means.pseudonyms.secretOf("\0consent", DedupKey.SECRET_BYTES));
    max = config.consentsMax();
    loop = means.loops.optional(name(), "what riders withhold on other nodes is not seen", this);
    Meters meters = means.meters;
    meters.gauge(
        "gilmok_consents_withheld", "Riders that withhold something.", () -> riders.table().size());
    meters.gauge(
        "gilmok_consents_withheld_max", "The bound of gilmok_consents_withheld.", () -> max);
    if (means.copy == null) {
      readAll();
      return;
    }
    meters.gauge(
        "gilmok_consents_age_seconds",
        "Time since consents were last compared with the database's.",
        () -> (System.nanoTime() - seenNanos) / 1e9);
    means.readiness.condition(
        name(),
        () -> isRead ? null : new Readiness.Lack("what riders withhold was not read yet", false));
    try {
      readAll();
    } catch (IOException away) {
      WithheldTable kept = means.copy.read();
      isRead = kept != null;
      riders.replace(kept == null ? WithheldTable.NONE : kept);
      LOGGER.log(
          Level.WARNING,
          kept == null
              ? "consents cannot be read yet, and nothing is collected until the database answers:"
                  + " {0}"
              : "consents cannot be read yet; those of the last copy count: {0}",
          away.getMessage());
    }
  }

  /** Starts to follow what other nodes change. */
  public void start() {
    if (means.copy != null) {
      loop.start();
    }
  }

  /** For one thread. */
  public ConsentView view() {
    return new ConsentView(riders);
  }

  /** Whether it is known what riders withhold; until then nothing may be collected. */
  public boolean isRead() {
    return isRead;
  }

  /** Whether any rider withholds anything. */
  public boolean isAny() {
    return riders.isAny();
  }

  /** Whether a rider's location is shown to nobody for that purpose. */
  public boolean hides(Purpose purpose, String riderId) {
    if (!riders.isAny()) {
      return false;
    }
    byte[] utf8 = riderId.getBytes(StandardCharsets.UTF_8);
    return view().hides(purpose, utf8, 0, utf8.length);
  }

  /** The pseudonyms of this fleet. */
  public Pseudonyms pseudonyms() {
    return means.pseudonyms;
  }

  long now() {
    return means.clock.millis();
  }

  /** What counts for a rider; null if nothing was said. */
  @Nullable Consent find(String riderId) throws IOException, InterruptedException {
    Consent known = store.find(riderId);
    return known == null ? store.find(means.pseudonyms.of(riderId)) : known;
  }

  /**
   * Replaces a rider's consent, in the documents and then here.
   *
   * @return false, and nothing is changed, when there are too many that withhold something
   */
  boolean put(Consent consent) throws IOException, InterruptedException {
    if (!isRead) {
      throw new IOException("consents were not read yet");
    }
    if (consent.withheld() != 0 && riders.table().size() >= max && codeOf(consent) == 0) {
      return false;
    }
    store.put(consent, means.pseudonyms.of(consent.riderId()));
    synchronized (this) {
      changedHere.add(consent.riderId());
      take(consent);
    }
    return true;
  }

  /** Forgets the id of a rider who is erased; what was withheld stays so. */
  public int erase(String riderId) throws IOException, InterruptedException {
    RiderDigest digest = view().digest(riderId.getBytes(StandardCharsets.UTF_8));
    return store.erase(riderId, means.pseudonyms.of(riderId), digest);
  }

  private int codeOf(Consent consent) {
    byte[] utf8 = consent.riderId().getBytes(StandardCharsets.UTF_8);
    return view().code(utf8, 0, utf8.length);
  }

  /** Calls somebody with the id of each rider who is hidden for a purpose from now on. */
  public void onHidden(Purpose purpose, Consumer<String> hidden) {
    watchers.add(new Watcher(purpose, hidden));
  }

  private synchronized void take(Consent consent) {
    RiderDigest known = consent.digest();
    RiderDigest digest =
        known == null ? view().digest(consent.riderId().getBytes(StandardCharsets.UTF_8)) : known;
    int after = consent.withheld() == 0 ? 0 : consent.code();
    int before = riders.put(digest, after);
    for (Watcher one : watchers) {
      if (known == null && (after & ~before & one.purpose.bit()) != 0) {
        one.hidden.accept(consent.riderId());
      }
    }
  }

  private void readAll() throws IOException, InterruptedException {
    sinceMillis = Math.min(store.newestMillis(), now()) - OVERLAP_MILLIS;
    String after = null;
    do {
      ConsentStore.Page page = store.page(after);
      page.consents().forEach(this::take);
      after = page.next();
    } while (after != null);
    wholeNanos = System.nanoTime();
    seenNanos = wholeNanos;
    isLoaded = true;
    isRead = true;
  }

  @Override
  public long pass() throws IOException, InterruptedException {
    if (isLoaded) {
      readOn();
    } else {
      readAll();
    }
    if (riders.version() != savedVersion && System.nanoTime() - savedNanos >= SAVE_NANOS) {
      save();
    }
    return LOOK_NANOS;
  }

  private void readOn() throws IOException, InterruptedException {
    for (int i = 0; i < CHANGED_PAGES_MAX; i++) {
      forgetChangedHere();
      ConsentStore.Changes changes = store.changes(sinceMillis);
      takeRead(changes.consents());
      long through = changes.throughMillis();
      if (changes.isAll()) {
        // Not beyond now: the clock of a former primary may have been ahead.
        sinceMillis = Math.max(sinceMillis, Math.min(through, now()) - OVERLAP_MILLIS);
        break;
      }
      if (through == sinceMillis) { // more than a page at one instant
        wholeNanos = System.nanoTime() - WHOLE_NANOS;
        through++;
      }
      sinceMillis = through;
    }
    seenNanos = System.nanoTime();
    if (wholeAfter != null || System.nanoTime() - wholeNanos >= WHOLE_NANOS) {
      forgetChangedHere();
      ConsentStore.Page page = store.page(wholeAfter);
      takeRead(page.consents());
      wholeAfter = page.next();
      wholeNanos = System.nanoTime();
    }
  }

  private synchronized void forgetChangedHere() {
    changedHere.clear();
  }

  /** What this node has changed since the question was asked is newer than the answer. */
  private synchronized void takeRead(List<Consent> read) {
    for (Consent one : read) {
      if (!changedHere.contains(one.riderId())) {
        take(one);
      }
    }
  }

  private void save() throws IOException, InterruptedException {
    ConsentCopy copy = means.copy;
    if (copy != null && isLoaded) {
      long saved = riders.version();
      copy.save(riders.table());
      savedVersion = saved;
      savedNanos = System.nanoTime();
    }
  }

  @Override
  public void end() throws IOException, InterruptedException {
    save();
  }

  @Override
  public String name() {
    return "consents";
  }

  @Override
  public void drain(Duration patience) throws InterruptedException {
    if (means.copy != null) {
      loop.stop(patience);
    }
  }
}
