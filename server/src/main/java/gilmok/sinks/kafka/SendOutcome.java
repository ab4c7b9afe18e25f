package gilmok.sinks.kafka;

import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.common.errors.RecordTooLargeException;
import org.jspecify.annotations.Nullable;

/**
 * What became of the records of one lot. The first failure calls {@code onFailure} at once, in the
 * thread that learns of it, so that nothing is sent after the record that failed; see the package's
 * page. A record that is too large is no such failure.
 *
 * <p>Thread-safe. Its results may be read after {@link #await}.
 */
final class SendOutcome {
  private final CountDownLatch left;
  private final BitSet kept = new BitSet();
  private final BitSet tooLarge = new BitSet();
  private final List<RecordMetadata> places = new ArrayList<>();
  private final Runnable onFailure;
  private volatile @Nullable Exception failure;

  SendOutcome(int size, Runnable onFailure) {
    left = new CountDownLatch(size);
    this.onFailure = onFailure;
  }

  /** Kafka's answer for a record. From any thread. */
  void completed(int index, @Nullable RecordMetadata place, @Nullable Exception why) {
    boolean isFirst = false;
    synchronized (this) {
      if (why == null) {
        kept.set(index);
        if (place != null) {
          places.add(place);
        }
      } else if (why instanceof RecordTooLargeException) {
        tooLarge.set(index);
      } else if (failure == null) {
        failure = why;
        isFirst = true;
      }
    }
    if (isFirst) {
      onFailure.run();
    }
    left.countDown();
  }

  /** A record that is not sent. */
  void leftOut() {
    left.countDown();
  }

  /** Fails the lot, unless a failure is known already. */
  void failed(Exception why) {
    synchronized (this) {
      if (failure == null) {
        failure = why;
      }
    }
    onFailure.run();
  }

  /** Waits for all answers; false when some are missing after that time. */
  boolean await(long nanos) throws InterruptedException {
    return left.await(nanos, TimeUnit.NANOSECONDS);
  }

  /** Why records were not sent; null when all were answered. */
  @Nullable Exception failure() {
    return failure;
  }

  /** The records that Kafka has acknowledged. */
  synchronized BitSet kept() {
    return (BitSet) kept.clone();
  }

  /** The records that are larger than their topic, or a request, takes. */
  synchronized BitSet tooLarge() {
    return (BitSet) tooLarge.clone();
  }

  /** Where the acknowledged records are. */
  synchronized List<RecordMetadata> places() {
    return List.copyOf(places);
  }
}
