package gilmok.app;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpResponse;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.LongAdder;
import java.util.concurrent.locks.LockSupport;
import java.util.function.UnaryOperator;

/**
 * Riders' phones before several nodes: each has a key of its own, and sends a position again until
 * it is acknowledged, as phones do. Thread-safe.
 */
final class FleetPhones {
  /** Where all of them are. */
  static final String NEAR = "/v1/riders?near=37.55,127&radius=20000&limit=1000";

  private static final int RIDERS = 12;

  /** The pause of a phone after an answer. It leaves some processor to what starts anew. */
  private static final long PAUSE_NANOS = 300_000_000;

  private final AckPhones sender = new AckPhones("kafka");
  private final Map<String, Long> newest = new ConcurrentHashMap<>();
  private final Map<Integer, LongAdder> refusals = new ConcurrentHashMap<>();
  private final AtomicBoolean isOver = new AtomicBoolean();
  private final List<Thread> threads = new ArrayList<>();

  static List<String> riders() {
    List<String> riders = new ArrayList<>();
    for (int i = 0; i < RIDERS; i++) {
      riders.add("rider-" + i);
    }
    return riders;
  }

  /**
   * Begins to send.
   *
   * @param uri of the balancer's collecting
   * @param keys a rider's key
   */
  void ride(URI uri, UnaryOperator<String> keys) {
    for (String rider : riders()) {
      String key = keys.apply(rider);
      threads.add(Thread.ofVirtual().start(() -> ride(uri, rider, key)));
    }
  }

  private void ride(URI uri, String rider, String key) {
    for (int i = 0; !isOver.get(); i++) {
      String id = rider + "-" + i;
      long at = System.currentTimeMillis();
      String body =
          "{\"riderId\":\"%s\",\"id\":\"%s\",\"at\":%d,\"lat\":37.5%d,\"lon\":127.0%d}"
              .formatted(rider, id, at, i % 10, i % 7);
      while (!send(uri, key, id, body)) {
        LockSupport.parkNanos(PAUSE_NANOS);
      }
      newest.put(rider, at);
      LockSupport.parkNanos(PAUSE_NANOS);
    }
  }

  /** Whether the position is acknowledged, or all is over. */
  private boolean send(URI uri, String key, String id, String body) {
    try {
      HttpResponse<String> response = sender.send(uri, key, id, body);
      if (response.statusCode() != 202) {
        refusals.computeIfAbsent(response.statusCode(), _ -> new LongAdder()).increment();
      }
      return response.statusCode() == 202 || isOver.get();
    } catch (IOException gone) {
      refusals.computeIfAbsent(0, _ -> new LongAdder()).increment();
      return isOver.get();
    } catch (InterruptedException stopped) {
      throw new IllegalStateException(stopped);
    }
  }

  /** The ids of positions that were acknowledged until now. */
  Set<String> acknowledged() {
    return Set.copyOf(sender.acknowledged);
  }

  /** What each rider's newest acknowledged position has as its time, in epoch milliseconds. */
  Map<String, Long> newest() {
    return Map.copyOf(newest);
  }

  /** How often each status but 202 was answered; 0: no answer. */
  String refusals() {
    return refusals.toString();
  }

  /** Acknowledged by somebody else than Kafka. */
  List<String> otherwise() {
    return List.copyOf(sender.otherwise);
  }

  /** Waits until so many more were acknowledged. */
  void awaitMore(int acknowledgements) throws Exception {
    sender.awaitMore(acknowledgements);
  }

  /** The residue of a node's ledger. */
  long residue(Program node) throws Exception {
    return sender.residue(node);
  }

  /** Has them end, and waits until they have. */
  void end() throws InterruptedException {
    isOver.set(true);
    for (Thread thread : threads) {
      thread.join();
    }
  }

  void close() throws InterruptedException {
    end();
    sender.close();
  }
}
