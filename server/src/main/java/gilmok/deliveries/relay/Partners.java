package gilmok.deliveries.relay;

import gilmok.deliveries.Outbox.Reader;
import gilmok.deliveries.Partner;
import gilmok.deliveries.PartnerStore;
import gilmok.deliveries.UnreadablePartner;
import java.io.IOException;
import java.time.InstantSource;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * All partners, in memory; read anew now and then, as other nodes change them too. Of which nobody
 * can read what is kept, that is known and no more: the others go on. Thread-safe; what asks or
 * changes the store may block.
 */
final class Partners {
  private static final long REFRESH_MILLIS = 2_000;

  /** How far the clocks of nodes may be apart. */
  private static final long SKEW_MILLIS = 1_000;

  private static final System.Logger LOG = System.getLogger("gilmok.relay");

  private final PartnerStore store;
  private final boolean isShared;
  private final InstantSource clock;
  private volatile Known known = new Known(Map.of(), Set.of());
  private volatile long readAtMillis;

  /** At one moment; one of which the kind cannot be read is unreadable as either. Immutable. */
  private record Known(Map<PartnerBulkhead.Key, Partner> all, Set<PartnerBulkhead.Key> unreadable) {
    Known {
      all = Map.copyOf(all);
      unreadable = Set.copyOf(unreadable);
    }
  }

  /**
   * @param isShared whether other nodes change partners too
   */
  Partners(PartnerStore store, boolean isShared, InstantSource clock) {
    this.store = store;
    this.isShared = isShared;
    this.clock = clock;
  }

  @Nullable Partner get(Reader reader, String id) {
    return known.all.get(new PartnerBulkhead.Key(reader, id));
  }

  /** Whether there is one that cannot be read, so that nobody knows what it wants. */
  boolean isUnreadable(Reader reader, String id) {
    return known.unreadable.contains(new PartnerBulkhead.Key(reader, id));
  }

  /**
   * The partner as it is stored, whichever node stored it.
   *
   * @throws UnreadablePartner when it cannot be read
   */
  @Nullable Partner find(Reader reader, String id) throws IOException, InterruptedException {
    return store.find(reader, id);
  }

  int size() {
    return known.all.size();
  }

  /** How many cannot be read. */
  int unreadable() {
    return known.unreadable.size();
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
    boolean isWhole = !isShared && known.unreadable.isEmpty();
    if (readAtMillis > 0 && (isWhole || Math.abs(now - readAtMillis) < REFRESH_MILLIS)) {
      return;
    }
    read(now);
  }

  private synchronized void read(long now) throws IOException, InterruptedException {
    PartnerStore.Kept read = store.all();
    Map<PartnerBulkhead.Key, Partner> found = HashMap.newHashMap(read.partners().size());
    for (Partner partner : read.partners()) {
      found.put(PartnerBulkhead.Key.of(partner), partner);
    }
    Set<PartnerBulkhead.Key> unreadable = new HashSet<>();
    for (UnreadablePartner one : read.unreadable()) {
      note(one, unreadable);
    }
    known = new Known(found, unreadable);
    readAtMillis = now;
  }

  /** One that cannot be read, named when it was not so before. */
  private void note(UnreadablePartner one, Set<PartnerBulkhead.Key> unreadable) {
    Reader kind = one.reader();
    for (Reader reader : kind == null ? Reader.values() : new Reader[] {kind}) {
      if (reader != Reader.LOG) {
        unreadable.add(new PartnerBulkhead.Key(reader, one.id()));
      }
    }
    if (known.unreadable.stream().noneMatch(before -> before.partnerId().equals(one.id()))) {
      LOG.log(
          System.Logger.Level.ERROR,
          "{0}; its webhooks wait until it is put again",
          one.getMessage());
    }
  }

  /** Adds or changes one; on return it holds here, and soon on other nodes. */
  synchronized void put(Partner partner) throws IOException, InterruptedException {
    store.put(partner);
    Map<PartnerBulkhead.Key, Partner> changed = new HashMap<>(known.all);
    changed.put(PartnerBulkhead.Key.of(partner), partner);
    Set<PartnerBulkhead.Key> unreadable = new HashSet<>(known.unreadable);
    unreadable.remove(PartnerBulkhead.Key.of(partner));
    known = new Known(changed, unreadable);
  }

  /** A partner wants no more events, unless it was changed meanwhile. */
  synchronized void silence(Partner gone, long nowMillis) throws IOException, InterruptedException {
    if (gone.equals(get(gone.reader(), gone.id()))) {
      put(new Partner(gone.id(), gone.reader(), gone.url(), gone.secrets(), List.of(), nowMillis));
    }
  }
}
