package gilmok.collect.devices;

import gilmok.collect.dialect.PhoneCommand;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The present state of one phone. Immutable.
 *
 * @param id what it calls itself
 * @param riderId the rider it is tied to; null when it is tied to none
 * @param group whose members see one another; null for none
 * @param dialect what it spoke last; null when it has not been heard since the start
 * @param heardAtMillis when that was, epoch ms
 * @param waiting the commands that wait for it, the oldest first
 */
record Device(
    String id,
    @Nullable String riderId,
    @Nullable String group,
    @Nullable String dialect,
    long heardAtMillis,
    List<Waiting> waiting) {

  /** A command that waits for its phone, and since when, epoch ms. */
  record Waiting(PhoneCommand command, long sinceMillis) {}

  static Device unknown(String id) {
    return new Device(id, null, null, null, 0, List.of());
  }

  /** The rider whose positions it sends: the one it is tied to, else its own id. */
  String rider() {
    return riderId == null ? id : riderId;
  }

  /** Whether it has state that must survive a restart. */
  boolean isKept() {
    return riderId != null || group != null || !waiting.isEmpty();
  }

  Device tied(@Nullable String rider, @Nullable String toGroup) {
    return new Device(id, rider, toGroup, dialect, heardAtMillis, waiting);
  }

  Device heard(String spoken, long atMillis) {
    return new Device(id, riderId, group, spoken, atMillis, waiting);
  }

  Device waiting(List<Waiting> now) {
    return new Device(id, riderId, group, dialect, heardAtMillis, List.copyOf(now));
  }

  /** This device with one more command at the end of those that wait. */
  Device told(PhoneCommand command, long atMillis) {
    List<Waiting> more = new ArrayList<>(waiting);
    more.add(new Waiting(command, atMillis));
    return waiting(more);
  }
}
