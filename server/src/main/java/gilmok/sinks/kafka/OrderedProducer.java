package gilmok.sinks.kafka;

import gilmok.observe.Counter;
import java.time.Duration;
import java.util.concurrent.Future;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.errors.InterruptException;
import org.apache.kafka.common.errors.TimeoutException;
import org.jspecify.annotations.Nullable;

/**
 * A producer that sends one lot of records at a time, and after a record that failed no other; see
 * the package's page. After a failure it is closed, and has to be opened again.
 *
 * <p>Not thread-safe, except {@link #close}.
 */
final class OrderedProducer implements AutoCloseable {
  /** What the client may take beyond its own bound, until it answers for the last record. */
  private static final Duration GRACE = Duration.ofSeconds(2);

  private final String clientId;
  private final Counter opened;
  private volatile @Nullable Producer<byte[], byte[]> producer;
  private long timeoutNanos;

  /** One lot. */
  interface Lot {
    int size();

    /** The record to send; null leaves it out. */
    @Nullable ProducerRecord<byte[], byte[]> record(int index);
  }

  OrderedProducer(String clientId, Counter opened) {
    this.clientId = clientId;
    this.opened = opened;
  }

  boolean isOpen() {
    return producer != null;
  }

  /**
   * Opens it. Waits for no broker.
   *
   * @throws KafkaException when a property makes no sense, or no broker's name can be resolved
   */
  void open(KafkaClient client) {
    timeoutNanos = client.config().sendTimeout().toNanos();
    producer = client.producer(clientId);
    opened.increment();
  }

  /**
   * Sends a lot and waits for every answer, for at most twice the sink's timeout and a little.
   *
   * @throws InterruptedException when interrupted: what became of the lot is unknown
   */
  SendOutcome send(Lot lot) throws InterruptedException {
    Producer<byte[], byte[]> open = producer;
    if (open == null) {
      throw new IllegalStateException("not open");
    }
    SendOutcome outcome = new SendOutcome(lot.size(), () -> close(open));
    boolean isAnswered = false;
    try {
      hand(open, lot, outcome);
      isAnswered = outcome.await(timeoutNanos + GRACE.toNanos());
      if (!isAnswered) {
        outcome.failed(new TimeoutException("the client did not answer in time"));
        isAnswered = outcome.await(GRACE.toNanos());
      }
    } finally {
      if (!isAnswered) {
        close(open);
      }
    }
    return outcome;
  }

  /** Hands the records over, up to the first failure. */
  private void hand(Producer<byte[], byte[]> open, Lot lot, SendOutcome outcome)
      throws InterruptedException {
    long end = System.nanoTime() + timeoutNanos;
    int i = 0;
    try {
      for (; i < lot.size() && outcome.failure() == null; i++) {
        ProducerRecord<byte[], byte[]> record = lot.record(i);
        if (record == null) {
          outcome.leftOut();
        } else if (System.nanoTime() - end > 0) {
          outcome.failed(new TimeoutException("the client's buffer stayed full"));
          outcome.leftOut();
        } else {
          int index = i;
          Future<RecordMetadata> _ =
              open.send(record, (place, why) -> outcome.completed(index, place, why));
        }
      }
    } catch (InterruptException interrupted) {
      boolean _ = Thread.interrupted(); // it sets the flag, too
      InterruptedException stopped = new InterruptedException();
      stopped.initCause(interrupted);
      throw stopped;
    } catch (KafkaException | IllegalStateException closed) {
      // Closed meanwhile, as an earlier record failed; or this one cannot be handed over at all.
      outcome.failed(closed);
      outcome.leftOut();
      i++;
    }
    for (; i < lot.size(); i++) {
      outcome.leftOut();
    }
  }

  /**
   * Closes a producer without waiting for anything: what it has not sent is dropped. From any
   * thread, the producer's own among them.
   */
  private void close(Producer<byte[], byte[]> open) {
    producer = null;
    try {
      open.close(Duration.ZERO);
    } catch (KafkaException cannot) {
      // It is closing; an interrupted wait for its thread keeps the flag of the interrupt.
    }
  }

  @Override
  public void close() {
    Producer<byte[], byte[]> open = producer;
    if (open != null) {
      close(open);
    }
  }
}
