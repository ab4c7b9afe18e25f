package gilmok.deliveries.relay;

import gilmok.deliveries.OutboxReader;
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
 * All partners, cached in memory and read again regularly, as other nodes change them too. Of an
 * unreadable partner only its existence is known; the others are not affected. Thread-safe; methods
 * that read or change the store block.
 */
final class Partners {
  private static final long REFRESH_MILLIS = 2_000;

  /** How far nodes' clocks may differ. */
  private static final long SKEW_MILLIS = 1_000;

  private static final System.Logger LOG = System.getLogger("gilmok.relay");

  private final PartnerStore store;
  private final boolean isShared;
  private final InstantSource clock;
  private volatile Known known = new Known(Map.of(), Set.of());
  private volatile long readAtMillis;

  /**
   * A snapshot. A partner whose kind cannot be read is unreadable as shop and as agency. Immutable.
   */
  private record Known(Map<PartnerBulkhead.Key, Partner> all, Set<PartnerBulkhead.Key> unreadable) {
    Known {
      all = Map.copyOf(all);
      unreadable = Set.copyOf(unreadable);
    }
  }

  /**
   * @param isShared whether other nodes can change partners too
   */
  Partners(PartnerStore store, boolean isShared, InstantSource clock) {
    this.store = store;
    this.isShared = isShared;
    this.clock = clock;
  }

  @Nullable Partner get(OutboxReader reader, String id) {
    return known.all.get(new PartnerBulkhead.Key(reader, id));
  }

  /** Whether a partner exists but cannot be read, so that its subscriptions are unknown. */
  boolean isUnreadable(OutboxReader reader, String id) {
    return known.unreadable.contains(new PartnerBulkhead.Key(reader, id));
  }

  /**
   * The partner from the store, as any node has stored it last; null when there is none.
   *
   * @throws UnreadablePartner when it cannot be read
   */
  @Nullable Partner find(OutboxReader reader, String id) throws IOException, InterruptedException {
    return store.find(reader, id);
  }

  /** All partners that can be read, from the store. */
  List<Partner> all() throws IOException, InterruptedException {
    return store.all().partners();
  }

  int size() {
    return known.all.size();
  }

  /** How many partners cannot be read. */
  int unreadable() {
    return known.unreadable.size();
  }

  /**
   * Whether the partners were read after that time. Only then is it certain that no partner had
   * subscribed to events of that time.
   */
  boolean isKnownFor(long millis) {
    return readAtMillis > 0 && (!isShared || millis + SKEW_MILLIS < readAtMillis);
  }

  /** Reads the partners again, unless they are recent enough. */
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

  /** Notes an unreadable partner, and logs it if it was readable before. */
  private void note(UnreadablePartner one, Set<PartnerBulkhead.Key> unreadable) {
    OutboxReader kind = one.reader();
    for (OutboxReader reader : kind == null ? OutboxReader.values() : new OutboxReader[] {kind}) {
      if (reader != OutboxReader.LOG) {
        unreadable.add(new PartnerBulkhead.Key(reader, one.id()));
      }
    }
    if (known.unreadable.stream().noneMatch(before -> before.partnerId().equals(one.id()))) {
      LOG.log(
          System.Logger.Level.ERROR,
          "{0}; its webhooks wait until PUT /v1/partners/ID with url and secret" + " repairs it",
          one.getMessage());
    }
  }

  /** Adds or changes a partner. It holds on this node on return, on other nodes soon after. */
  synchronized void put(Partner partner) throws IOException, InterruptedException {
    store.put(partner);
    Map<PartnerBulkhead.Key, Partner> changed = new HashMap<>(known.all);
    changed.put(PartnerBulkhead.Key.of(partner), partner);
    Set<PartnerBulkhead.Key> unreadable = new HashSet<>(known.unreadable);
    unreadable.remove(PartnerBulkhead.Key.of(partner));
    known = new Known(changed, unreadable);
  }

  /** Removes all subscriptions of a partner, unless the partner was changed meanwhile. */
  synchronized void silence(Partner gone, long nowMillis) throws IOException, InterruptedException {
    if (gone.equals(get(gone.reader(), gone.id()))) {
      put(new Partner(gone.id(), gone.reader(), gone.url(), gone.secrets(), List.of(), nowMillis));
    }
  }
}
