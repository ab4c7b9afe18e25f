package gilmok.deliveries.relay;

import gilmok.deliveries.Outbox.Reader;
import gilmok.deliveries.Partner;
import gilmok.deliveries.PartnerStore;
import java.io.IOException;
import java.time.InstantSource;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * All partners, in memory; read anew now and then, as other nodes change them too. Thread-safe;
 * everything but {@link #get} may block.
 */
final class Partners {
  private static final long REFRESH_MILLIS = 2_000;

  /** How far the clocks of nodes may be apart. */
  private static final long SKEW_MILLIS = 1_000;

  private final PartnerStore store;
  private final boolean isShared;
  private final InstantSource clock;
  private final ReentrantLock lock = new ReentrantLock();
  private volatile Map<Line.Key, Partner> all = Map.of();
  private volatile long readAtMillis;

  /**
   * @param isShared whether other nodes change partners too
   */
  Partners(PartnerStore store, boolean isShared, InstantSource clock) {
    this.store = store;
    this.isShared = isShared;
    this.clock = clock;
  }

  @Nullable Partner get(Reader reader, String id) {
    return all.get(new Line.Key(reader, id));
  }

  /** The partner as it is stored, whichever node stored it. */
  @Nullable Partner find(Reader reader, String id) throws IOException, InterruptedException {
    return store.find(reader, id);
  }

  int size() {
    return all.size();
  }

  /**
   * Whether what is known of partners is from after that time: only then can it be said that nobody
   * wanted to be told of what happened then.
   */
  boolean isKnownFor(long millis) {
    return readAtMillis > 0 && (!isShared || millis + SKEW_MILLIS < readAtMillis);
  }

  /** Reads them, unless that was a moment ago. */
  void refresh() throws IOException, InterruptedException {
    long now = clock.millis();
    if (readAtMillis > 0 && (!isShared || Math.abs(now - readAtMillis) < REFRESH_MILLIS)) {
      return;
    }
    lock.lock();
    try {
      List<Partner> read = store.all();
      Map<Line.Key, Partner> found = HashMap.newHashMap(read.size());
      for (Partner partner : read) {
        found.put(Line.Key.of(partner), partner);
      }
      all = Map.copyOf(found);
      readAtMillis = now;
    } finally {
      lock.unlock();
    }
  }

  /** Adds or changes one; on return it holds here, and soon on other nodes. */
  void put(Partner partner) throws IOException, InterruptedException {
    lock.lock();
    try {
      store.put(partner);
      Map<Line.Key, Partner> changed = new HashMap<>(all);
      changed.put(Line.Key.of(partner), partner);
      all = Map.copyOf(changed);
    } finally {
      lock.unlock();
    }
  }

  /** A partner wants no more events, unless it was changed meanwhile. */
  void silence(Partner gone, long nowMillis) throws IOException, InterruptedException {
    lock.lock();
    try {
      if (gone.equals(get(gone.reader(), gone.id()))) {
        put(
            new Partner(
                gone.id(), gone.reader(), gone.url(), gone.secrets(), List.of(), nowMillis));
      }
    } finally {
      lock.unlock();
    }
  }
}
