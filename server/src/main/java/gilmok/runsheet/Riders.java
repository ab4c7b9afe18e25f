package gilmok.runsheet;

import org.jspecify.annotations.Nullable;

/** Knows where riders are. Thread-safe; does not block. */
@FunctionalInterface
public interface Riders {
  /**
   * Where a rider was last.
   *
   * @param atMillis when, epoch ms
   */
  record Sighting(GroundPoint point, long atMillis) {}

  /** Where a rider was last; null when nothing is known. */
  @Nullable Sighting latest(String riderId);
}
