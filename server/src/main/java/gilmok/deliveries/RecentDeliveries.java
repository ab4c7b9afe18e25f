package gilmok.deliveries;

import gilmok.documents.SqliteSession;
import java.util.concurrent.atomic.AtomicReferenceArray;
import org.jspecify.annotations.Nullable;

/**
 * The deliveries that were written last, so that their next move, and the readers of the outbox,
 * need not read and parse their documents again. A direct-mapped cache: each id has one place, in
 * which the last one written stays; so it is bounded, and whoever is not in it is read.
 *
 * <p>The writer notes a delivery before its commit. The writer itself may rely on it until a write
 * is rolled back or the connection is another one; then all of it is forgotten. Any other thread
 * may take from it only the version that it has read from the database: a version is written by the
 * writer alone, which replaces what it has noted of a version that was rolled back before it
 * commits another of the same number.
 *
 * <p>Only right while one process owns the database. {@link #at} is for any thread, all else for
 * the writer's.
 */
public final class RecentDeliveries {
  /** Some 6 MB if all are deliveries of five events. */
  private static final int PLACES = 1 << 11;

  private final AtomicReferenceArray<@Nullable Entry> places = new AtomicReferenceArray<>(PLACES);
  private @Nullable SqliteSession session;
  private long rollbacks;

  /** A delivery, and the number of its row. */
  record Entry(long number, Delivery delivery) {}

  /** The writer has written a delivery, which is not committed yet. */
  void wrote(SqliteSession session, long number, Delivery delivery) {
    forgetRolledBack(session);
    places.setRelease(place(delivery.id()), new Entry(number, delivery));
  }

  /** What the writer has written last under that id; null when it is not known. */
  @Nullable Entry find(SqliteSession session, String id) {
    forgetRolledBack(session);
    Entry entry = places.getPlain(place(id));
    return entry != null && entry.delivery.id().equals(id) ? entry : null;
  }

  /** The delivery at a version that was read from the database; null when it is not known. */
  @Nullable Delivery at(String id, int version) {
    Entry entry = places.getAcquire(place(id));
    return entry != null && entry.delivery.version() == version && entry.delivery.id().equals(id)
        ? entry.delivery
        : null;
  }

  /** The writer has removed the delivery of that id. */
  void forget(String id) {
    Entry entry = places.getPlain(place(id));
    if (entry != null && entry.delivery.id().equals(id)) {
      places.setRelease(place(id), null);
    }
  }

  /** Forgets all: the database was changed by somebody else. */
  void forget() {
    for (int i = 0; i < PLACES; i++) {
      places.setRelease(i, null);
    }
  }

  private void forgetRolledBack(SqliteSession current) {
    if (session != current || rollbacks != current.rollbacks()) {
      forget();
      session = current;
      rollbacks = current.rollbacks();
    }
  }

  private static int place(String id) {
    int hash = id.hashCode() * 0x9E3779B1;
    return hash >>> 21;
  }
}
