package gilmok.collect.devices;

import gilmok.collect.dialect.PhoneCommand;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
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
 * @param ended what became of the last commands, the oldest first: in a file's devices since the
 *     start, in a database's ever
 * @param version grows with each change in a database; 0 for a device that is in none
 */
record Device(
    String id,
    @Nullable String riderId,
    @Nullable String group,
    @Nullable String dialect,
    long heardAtMillis,
    List<Waiting> waiting,
    List<Ended> ended,
    long version) {
  /** How many of the commands that wait no more are remembered. */
  static final int ENDED_MAX = 8;

  /**
   * A command that waits for its phone, and since when, epoch ms.
   *
   * @param heldUntilMillis until when a node holds it that was about to send it; 0 for none
   */
  record Waiting(PhoneCommand command, long sinceMillis, long heldUntilMillis) {
    /** One that no node holds. */
    Waiting(PhoneCommand command, long sinceMillis) {
      this(command, sinceMillis, 0);
    }
  }

  /** A command that waits no more: what became of it, and when, epoch ms. */
  record Ended(String id, PhoneCommand.Type type, End end, long atMillis) {}

  /** What becomes of a command. */
  enum End {
    /** It was in an answer to the phone. Whether the app obeys, it does not tell. */
    SENT,
    /** The phone's app turned out not to understand it. */
    DROPPED,
    /** It waited too long. */
    EXPIRED;

    /** The name in the API. */
    String label() {
      return name().toLowerCase(Locale.ROOT);
    }
  }

  static Device unknown(String id) {
    return new Device(id, null, null, null, 0, List.of(), List.of(), 0);
  }

  /** The rider whose positions it sends: the one it is tied to, else its own id. */
  String rider() {
    return riderId == null ? id : riderId;
  }

  /** Whether it has another's rider and group. */
  boolean isTiedAs(Device other) {
    return rider().equals(other.rider()) && Objects.equals(group, other.group);
  }

  /** Whether it has state that must survive a restart. */
  boolean isKept() {
    return riderId != null || group != null || !waiting.isEmpty();
  }

  Device tied(@Nullable String rider, @Nullable String toGroup) {
    return new Device(id, rider, toGroup, dialect, heardAtMillis, waiting, ended, version);
  }

  Device heard(String spoken, long atMillis) {
    return new Device(id, riderId, group, spoken, atMillis, waiting, ended, version);
  }

  Device waiting(List<Waiting> now) {
    return new Device(id, riderId, group, dialect, heardAtMillis, List.copyOf(now), ended, version);
  }

  /** This device with the commands that wait now, and more of those that wait no more. */
  Device waiting(List<Waiting> now, List<Ended> more) {
    if (more.isEmpty()) {
      return waiting(now);
    }
    List<Ended> all = new ArrayList<>(ended);
    all.addAll(more);
    List<Ended> last = List.copyOf(all.subList(Math.max(0, all.size() - ENDED_MAX), all.size()));
    return new Device(id, riderId, group, dialect, heardAtMillis, List.copyOf(now), last, version);
  }

  /** This device, read anew, with what this node has heard of it. */
  Device heardAs(Device known) {
    return new Device(
        id, riderId, group, known.dialect, known.heardAtMillis, waiting, ended, version);
  }

  /** This device without the command that has ended. */
  Device without(Ended one) {
    List<Waiting> left =
        waiting.stream().filter(other -> !other.command().id().equals(one.id())).toList();
    return left.size() == waiting.size() ? this : waiting(left, List.of(one));
  }

  /** This device with one more command at the end of those that wait. */
  Device told(PhoneCommand command, long atMillis) {
    List<Waiting> more = new ArrayList<>(waiting);
    more.add(new Waiting(command, atMillis));
    return waiting(more);
  }
}
