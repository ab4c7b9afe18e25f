package gilmok.collect;

import gilmok.collect.json.JsonDocument;
import gilmok.event.EventField;
import gilmok.event.EventHead;
import gilmok.event.EventKind;
import gilmok.event.EventView;
import gilmok.event.Events;
import gilmok.privacy.ConsentView;
import gilmok.privacy.NotCollected;
import java.nio.charset.StandardCharsets;
import java.util.Collection;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * Where collecting ends for riders who have withdrawn their consent, or are off duty: their
 * positions are removed before anything is stored, actions and log lines are kept without a place.
 * What could not be read as theirs is removed, too, where it may be theirs.
 *
 * <p>Not thread-safe: one for each event loop.
 */
final class ConsentDoor {
  private static final byte[] RIDER_ID = "\"riderId\"".getBytes(StandardCharsets.US_ASCII);

  private final ConsentView consents;
  private final CollectMeters meter;
  private final EventView view = new EventView();
  private final Events.Sieve sieve = this::sift;
  private final JsonDocument document = new JsonDocument();
  private int removed;
  private NotCollected last = NotCollected.WITHDRAWN;

  ConsentDoor(ConsentView consents, CollectMeters meter) {
    this.consents = consents;
    this.meter = meter;
  }

  /**
   * Removes what must not be collected.
   *
   * @param body the bytes that the rejects are pieces of
   * @param riders whose the rejects may be; empty where each names its own
   * @return how many records were removed
   */
  int close(Events events, byte[] body, Collection<String> riders) {
    if (!consents.isAny()) {
      return 0;
    }
    removed = 0;
    if (isAnyClosed(events)) {
      events.sift(sieve);
    }
    if (events.rejectCount() > 0) {
      removeRejects(events, body, riders);
    }
    return removed;
  }

  /** Whether {@link #close} would remove or change anything, which changes nothing yet. */
  boolean isClosedTo(Events events, byte[] body, Collection<String> riders) {
    if (!consents.isAny()) {
      return false;
    }
    if (isAnyClosed(events)
        && IntStream.range(0, events.count())
            .anyMatch(
                i ->
                    sifted(events.bytes(), events.offset(i), events.length(i))
                        != Events.Sifted.KEPT)) {
      return true;
    }
    for (int i = 0; i < events.rejectCount(); i++) {
      if (isTheirs(events, i, body, riders)) {
        return true;
      }
    }
    return false;
  }

  /** Whether anything is withheld by any of the riders; each is looked up once in a row. */
  private boolean isAnyClosed(Events events) {
    byte[] bytes = events.bytes();
    int before = -1;
    for (int i = 0; i < events.count(); i++) {
      int at = events.offset(i);
      if (before < 0 || !EventHead.isSameRider(bytes, at, before)) {
        int length = EventHead.riderLength(bytes, at);
        if (consents.closed(bytes, EventHead.riderOffset(bytes, at), length) != null) {
          return true;
        }
      }
      before = at;
    }
    return false;
  }

  private Events.Sifted sift(byte[] bytes, int offset, int length) {
    Events.Sifted sifted = sifted(bytes, offset, length);
    switch (sifted) {
      case KEPT -> {}
      case UNPLACED -> meter.unplaced(last);
      case REMOVED -> {
        meter.notCollected(last);
        removed++;
      }
    }
    return sifted;
  }

  private Events.Sifted sifted(byte[] bytes, int offset, int length) {
    int rider = EventHead.riderOffset(bytes, offset);
    NotCollected closed = consents.closed(bytes, rider, EventHead.riderLength(bytes, offset));
    if (closed == null) {
      return Events.Sifted.KEPT;
    }
    last = closed;
    view.wrap(bytes, offset, length);
    if (view.kind() == EventKind.POSITION) {
      return Events.Sifted.REMOVED;
    }
    return view.has(EventField.LAT) ? Events.Sifted.UNPLACED : Events.Sifted.KEPT;
  }

  private void removeRejects(Events events, byte[] body, Collection<String> riders) {
    boolean isAnyRemoved = removed > 0;
    events.removeRejects(
        i -> {
          Boolean known = rejectIsTheirs(events, i, body, riders);
          boolean isTheirs = known == null ? isAnyRemoved : known;
          if (isTheirs) {
            meter.notCollected(last);
            removed++;
          }
          return isTheirs;
        });
  }

  private boolean isTheirs(Events events, int i, byte[] body, Collection<String> riders) {
    return Boolean.TRUE.equals(rejectIsTheirs(events, i, body, riders));
  }

  /** Whether a reject is of a rider of whom nothing is collected; null if nobody can tell whose. */
  private @Nullable Boolean rejectIsTheirs(
      Events events, int i, byte[] body, Collection<String> riders) {
    if (!riders.isEmpty()) {
      return riders.stream().anyMatch(this::isClosed);
    }
    String named = riderOf(body, events.rejectStart(i), events.rejectEnd(i));
    return named == null ? null : isClosed(named);
  }

  private boolean isClosed(String rider) {
    byte[] utf8 = rider.getBytes(StandardCharsets.UTF_8);
    NotCollected closed = consents.closed(utf8, 0, utf8.length);
    last = closed == null ? last : closed;
    return closed != null;
  }

  /** The rider that a rejected record names, also where it is no JSON; null if it names none. */
  private @Nullable String riderOf(byte[] body, int start, int end) {
    int root = document.read(body, start, end - start);
    String whole = document.isObject(root) ? document.text(document.member(root, "riderId")) : null;
    if (whole != null) {
      return whole;
    }
    int p = after(RIDER_ID, body, start, end);
    while (p >= 0 && p < end && (body[p] <= ' ' || body[p] == ':')) {
      p++;
    }
    if (p < 0 || p >= end || body[p] != '"') {
      return null;
    }
    int from = p + 1;
    p = from;
    while (p < end && body[p] != '"' && body[p] != '\\') {
      p++;
    }
    return p < end && body[p] == '"'
        ? new String(body, from, p - from, StandardCharsets.UTF_8)
        : null;
  }

  private static int after(byte[] wanted, byte[] body, int start, int end) {
    for (int i = start; i <= end - wanted.length; i++) {
      int same = 0;
      while (same < wanted.length && body[i + same] == wanted[same]) {
        same++;
      }
      if (same == wanted.length) {
        return i + same;
      }
    }
    return -1;
  }
}
