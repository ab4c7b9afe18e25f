package gilmok.documents;

import com.mongodb.event.ConnectionCheckedInEvent;
import com.mongodb.event.ConnectionCheckedOutEvent;
import com.mongodb.event.ConnectionClosedEvent;
import com.mongodb.event.ConnectionCreatedEvent;
import com.mongodb.event.ConnectionPoolListener;
import com.mongodb.event.ConnectionReadyEvent;
import gilmok.observe.Counter;
import gilmok.observe.Meters;
import java.time.Duration;
import java.util.EnumMap;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;

/** The metrics of the driver's connections. Thread-safe. */
final class MongoMeters implements ConnectionPoolListener {
  private final LongAdder open = new LongAdder();
  private final LongAdder used = new LongAdder();
  private final Map<ConnectionClosedEvent.Reason, Counter> closed =
      new EnumMap<>(ConnectionClosedEvent.Reason.class);

  /** How many of the connections that are kept have not been opened yet. */
  private final CountDownLatch lacking;

  /** Registers the metrics. */
  MongoMeters(Meters meters, int connectionsMin, int connectionsMax) {
    lacking = new CountDownLatch(connectionsMin);
    meters.gauge("gilmok_documents_mongo_connections", "Open connections.", open::doubleValue);
    meters.gauge(
        "gilmok_documents_mongo_connections_used", "Connections in use.", used::doubleValue);
    meters.gauge(
        "gilmok_documents_mongo_connections_max",
        "Connections that may be open to one server.",
        () -> connectionsMax);
    for (ConnectionClosedEvent.Reason reason : ConnectionClosedEvent.Reason.values()) {
      closed.put(
          reason,
          meters.counter(
              "gilmok_documents_mongo_connections_closed_total",
              "Connections closed, by reason.",
              "reason",
              reason.name().toLowerCase(Locale.ROOT).replace('_', '-')));
    }
  }

  /** Waits until the connections that are kept are open; false when they were not in time. */
  boolean awaitConnections(Duration patience) throws InterruptedException {
    return lacking.await(patience.toNanos(), TimeUnit.NANOSECONDS);
  }

  @Override
  public void connectionReady(ConnectionReadyEvent event) {
    lacking.countDown();
  }

  @Override
  public void connectionCreated(ConnectionCreatedEvent event) {
    open.increment();
  }

  @Override
  public void connectionClosed(ConnectionClosedEvent event) {
    open.decrement();
    Counter counter = closed.get(event.getReason());
    if (counter != null) {
      counter.increment();
    }
  }

  @Override
  public void connectionCheckedOut(ConnectionCheckedOutEvent event) {
    used.increment();
  }

  @Override
  public void connectionCheckedIn(ConnectionCheckedInEvent event) {
    used.decrement();
  }
}
