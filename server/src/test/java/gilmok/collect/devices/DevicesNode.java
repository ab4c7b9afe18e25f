package gilmok.collect.devices;

import gilmok.background.BackgroundLoops;
import gilmok.documents.MongoDocuments;
import gilmok.documents.MongoServer;
import gilmok.http.Offloads;
import gilmok.observe.Meters;
import gilmok.observe.Readiness;
import gilmok.storage.Disk;
import gilmok.storage.FileDisk;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.UnaryOperator;

/**
 * What one of several nodes needs to share its devices: a client of the database, loops, a disk.
 */
final class DevicesNode implements AutoCloseable {
  private final Path data;
  private final AtomicLong now;
  private final Meters meters = new Meters();
  private final Readiness readiness = new Readiness();
  private final List<Offloads> offloads = new ArrayList<>();
  private final MongoDocuments documents;
  private UnaryOperator<DeviceStore> wrap = UnaryOperator.identity();
  private Disk disk = new FileDisk();
  private DevicesConfig config = DevicesContract.config();

  /**
   * A node that has not started.
   *
   * @param port the database's, or that of who stands before it; 0 for the database's
   */
  DevicesNode(MongoServer server, String database, int port, Path data, AtomicLong now) {
    this.data = data;
    this.now = now;
    Map<String, String> settings =
        port == 0
            ? Map.of()
            : Map.of(
                "documents.mongo-uri",
                "mongodb://127.0.0.1:" + port + "/?directConnection=true",
                "documents.mongo-timeout",
                "2 s");
    documents = new MongoDocuments(server.config(database, settings), meters);
  }

  /** Puts something between the node and its store. */
  DevicesNode with(UnaryOperator<DeviceStore> between) {
    wrap = between;
    return this;
  }

  DevicesNode with(Disk other) {
    disk = other;
    return this;
  }

  DevicesNode with(DevicesConfig other) {
    config = other;
    return this;
  }

  boolean isReady() {
    return readiness.ready();
  }

  DeviceStore store() {
    return new MongoDevices(documents);
  }

  SharedDevices start() throws Exception {
    SharedDevices devices = begin();
    devices.start();
    return devices;
  }

  /** Reads the devices; their loop does not run. */
  SharedDevices begin() throws Exception {
    Offloads own = new Offloads(new Meters());
    offloads.add(own);
    return new SharedDevices(
        config,
        new SharedDevices.Means(
            wrap.apply(store()),
            data,
            disk,
            () -> Instant.ofEpochMilli(now.get()),
            own,
            BackgroundLoops.unwatched(),
            readiness));
  }

  /** Stops the devices in good order. */
  static void stop(Devices devices) throws InterruptedException {
    devices.drain(Duration.ofSeconds(10));
  }

  @Override
  public void close() {
    documents.close();
    offloads.forEach(Offloads::close);
    meters.close();
  }
}
