package gilmok.collect;

import gilmok.log.Stream;
import gilmok.observe.Counter;
import gilmok.observe.Meters;
import gilmok.privacy.NotCollected;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * Shows in the metrics what became of each request's records. Called on event loops, by several at
 * once.
 */
public final class CollectMeters {
  private final Counter[] accepted = new Counter[Stream.QUARANTINE.code() + 1];
  private final Counter[] duplicates = new Counter[Stream.QUARANTINE.code() + 1];
  private final Counter[] quarantined = new Counter[Stream.QUARANTINE.code() + 1];

  private final Map<String, Counter> answers = new ConcurrentHashMap<>();
  private final Map<String, Counter> uploads = new ConcurrentHashMap<>();
  private final Map<NotCollected, Counter> records;
  private final Map<NotCollected, Counter> places;
  private final Meters meters;
  private final boolean isBySink;

  /**
   * The metrics of collecting.
   *
   * @param isBySink whether a sink acknowledges, so that answers are counted by who did
   */
  public CollectMeters(Meters meters, boolean isBySink) {
    this.meters = meters;
    this.isBySink = isBySink;
    records = withheld(meters, "record");
    places = withheld(meters, "place");
    for (Stream stream : List.of(Stream.TRACES, Stream.ACTIONS, Stream.LOGS)) {
      accepted[stream.code()] =
          counter(meters, "gilmok_collect_accepted_total", "Records acknowledged as new.", stream);
      duplicates[stream.code()] =
          counter(
              meters,
              "gilmok_collect_duplicates_total",
              "Records answered as already stored.",
              stream);
      quarantined[stream.code()] =
          counter(
              meters,
              "gilmok_collect_quarantined_total",
              "Invalid records put into quarantine.",
              stream);
    }
  }

  /** Counts the records of a request that was answered 202 or, to a phone, 200. */
  void collected(Stream stream, int stored, int repeated, int setAside) {
    int i = stream.code();
    accepted[i].add(stored);
    if (repeated > 0) {
      duplicates[i].add(repeated);
    }
    if (setAside > 0) {
      quarantined[i].add(setAside);
    }
  }

  /** Counts a record that was not collected. */
  void notCollected(NotCollected why) {
    Objects.requireNonNull(records.get(why)).increment();
  }

  /** Counts a record that was collected without its place. */
  void unplaced(NotCollected why) {
    Objects.requireNonNull(places.get(why)).increment();
  }

  /**
   * Counts a request whose records the log has taken.
   *
   * @param by who acknowledged them; null if nobody did in time, so that it was refused
   */
  void answered(@Nullable String by) {
    if (isBySink) {
      answers
          .computeIfAbsent(
              by == null ? "none" : by,
              label ->
                  meters.counter(
                      "gilmok_collect_acks_total",
                      "Requests by who acknowledged their records; none: refused.",
                      "by",
                      label))
          .add(1);
    }
  }

  /** Counts a phone's upload that was answered 200. */
  void uploaded(String dialect) {
    uploads
        .computeIfAbsent(
            dialect,
            label ->
                meters.counter(
                    "gilmok_collect_uploads_total",
                    "Uploads of phone apps that were answered 200.",
                    "dialect",
                    label))
        .add(1);
  }

  private static Map<NotCollected, Counter> withheld(Meters meters, String what) {
    Map<NotCollected, Counter> counters = new EnumMap<>(NotCollected.class);
    for (NotCollected why : NotCollected.values()) {
      counters.put(
          why,
          meters.counter(
              "gilmok_collect_withheld_total",
              "Records not collected, and places removed from others, as riders have withdrawn"
                  + " their consent or are off duty.",
              "what",
              what,
              "reason",
              why.label()));
    }
    return counters;
  }

  private static Counter counter(Meters meters, String name, String help, Stream stream) {
    return meters.counter(name, help, "stream", stream.label());
  }
}
