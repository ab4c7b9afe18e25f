package gilmok.deliveries.relay;

import gilmok.deliveries.Partner;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The lines of all partners that were told something: as many as there are partners. Thread-safe.
 */
final class Lines {
  private final Map<Line.Key, Line> all = new ConcurrentHashMap<>();
  private final Supplier<RelayConfig> config;

  Lines(Supplier<RelayConfig> config) {
    this.config = config;
  }

  Line of(Partner partner) {
    return all.computeIfAbsent(Line.Key.of(partner), key -> new Line(key, config));
  }

  /** How a partner does; null when it was told nothing since the start. */
  Line.@Nullable Standing standing(Partner partner) {
    Line line = all.get(Line.Key.of(partner));
    return line == null ? null : line.standing();
  }

  /** How many breakers are there. */
  long count(Breaker.State state) {
    return all.values().stream().filter(line -> line.standing().state() == state).count();
  }

  /** How many deliveries are being told. */
  long telling() {
    return all.values().stream().mapToLong(line -> line.standing().telling()).sum();
  }

  /** How many wait in lines. */
  long waiting() {
    return all.values().stream().mapToLong(line -> line.standing().waiting()).sum();
  }
}
