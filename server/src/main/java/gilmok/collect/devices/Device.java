package gilmok.collect.devices;

import gilmok.collect.dialect.PhoneCommand;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * One phone as it is known now. Immutable.
 *
 * @param id what it calls itself
 * @param riderId the rider it is tied to; null when it is tied to none
 * @param group those who see one another; null for none
 * @param dialect what it spoke last; null when it has not been heard since the start
 * @param heardAtMillis when that was, epoch ms
 * @param waiting what it is to be told, the oldest first
 */
record Device(
    String id,
    @Nullable String riderId,
    @Nullable String group,
    @Nullable String dialect,
    long heardAtMillis,
    List<Waiting> waiting) {

  /** A command that waits, and since when, epoch ms. */
  record Waiting(PhoneCommand command, long sinceMillis) {}

  static Device unknown(String id) {
    return new Device(id, null, null, null, 0, List.of());
  }

  /** The rider whose position it sends. */
  String rider() {
    return riderId == null ? id : riderId;
  }

  /** Whether anything of it has to survive a restart. */
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

  /** With one more command at the end. */
  Device told(PhoneCommand command, long atMillis) {
    List<Waiting> more = new ArrayList<>(waiting);
    more.add(new Waiting(command, atMillis));
    return waiting(more);
  }
}
