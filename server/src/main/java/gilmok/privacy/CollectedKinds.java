package gilmok.privacy;

import gilmok.log.Stream;
import gilmok.privacy.RegisterRow.Act;
import gilmok.privacy.RegisterRow.Kind;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Function;

/**
 * The kinds of rows of what was collected: by day, stream, and what the rider withheld. A kind is
 * an int, for {@link CollectedCounts}. Not thread-safe.
 */
final class CollectedKinds {
  private static final List<Stream> STREAMS = List.of(Stream.TRACES, Stream.ACTIONS);
  private static final int WITHHELD_BITS = 3;
  private static final int DAY_AT = WITHHELD_BITS + 1;

  private final ZoneId zone;
  private final List<OfStream> streams = new ArrayList<>();
  private long dayBegin;
  private long dayEnd;
  private int day;

  /** How a stream is counted: by the sinks that take it, and what riders withhold. */
  private record OfStream(String sinks, List<Act> byWithheld) {
    static OfStream of(Stream stream, Collection<String> sinks) {
      List<Act> all = new ArrayList<>();
      for (int withheld = 0; withheld <= Purpose.ALL; withheld++) {
        Set<Use> uses = Use.leftBy(withheld);
        if (!sinks.isEmpty()) {
          uses.add(Use.SINK);
        }
        all.add(new Act(Kind.COLLECTED, stream.label(), uses));
      }
      return new OfStream(String.join(" ", new TreeSet<>(sinks)), all);
    }
  }

  /**
   * The kinds of a fleet.
   *
   * @param sinks the names of those that take a stream
   * @param zone whose days count
   */
  CollectedKinds(Function<Stream, List<String>> sinks, ZoneId zone) {
    this.zone = zone;
    for (Stream stream : STREAMS) {
      streams.add(OfStream.of(stream, sinks.apply(stream)));
    }
  }

  /** Whether records of a stream are counted. */
  static boolean has(Stream stream) {
    return stream == Stream.TRACES || stream == Stream.ACTIONS;
  }

  /**
   * The kind of a record.
   *
   * @param withheld purposes that do not count, as bits
   */
  int of(Stream stream, long receivedAtMillis, int withheld) {
    if (receivedAtMillis < dayBegin || receivedAtMillis >= dayEnd) {
      LocalDate date = LocalDate.ofInstant(Instant.ofEpochMilli(receivedAtMillis), zone);
      day = (int) date.toEpochDay();
      dayBegin = millis(date);
      dayEnd = millis(date.plusDays(1));
    }
    int which = stream == Stream.TRACES ? 0 : 1;
    return (day << DAY_AT) | (which << WITHHELD_BITS) | (withheld & Purpose.ALL);
  }

  /** A row of a kind. */
  RegisterRow row(int kind, String pseudonym, RegisterRow.Span span, Register register) {
    OfStream stream = streams.get((kind >> WITHHELD_BITS) & 1);
    Act act = stream.byWithheld.get(kind & Purpose.ALL);
    long begin = millis(LocalDate.ofEpochDay(kind >> DAY_AT));
    return register.row(begin, act, pseudonym, stream.sinks, span);
  }

  private long millis(LocalDate date) {
    return date.atStartOfDay(zone).toInstant().toEpochMilli();
  }
}
