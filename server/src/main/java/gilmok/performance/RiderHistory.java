package gilmok.performance;

import java.io.IOException;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** What riders have delivered. Thread-safe; calls block. */
public interface RiderHistory {
  /**
   * Which deliveries are looked at; null fields match any.
   *
   * @param riderId the rider who had it last
   */
  record Whose(@Nullable String riderId, @Nullable String shopId, @Nullable String agencyId) {
    /** Whether any rider is meant, whoever rode for whom. */
    boolean isEverybody() {
      return riderId == null && shopId == null && agencyId == null;
    }
  }

  /**
   * The deliveries that somebody rode for between two times, in no order; and those before that the
   * same rider had without a break until then, which belong to the same tour.
   *
   * @param most how many at most; if there are more, {@link IOException}
   */
  List<RiddenDelivery> deliveries(Whose whose, long fromMillis, long untilMillis, int most)
      throws IOException, InterruptedException;

  /** From when on no delivery was removed, epoch ms: what was before cannot be measured. */
  long keptFromMillis() throws IOException, InterruptedException;
}
