package gilmok.collect.devices;

import static gilmok.collect.devices.DevicesContract.config;
import static gilmok.collect.devices.DevicesContract.taken;
import static gilmok.collect.devices.DevicesContract.text;
import static gilmok.collect.devices.DevicesContract.waiting;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import gilmok.documents.MongoServer;
import gilmok.log.ForwardingDisk;
import gilmok.storage.FileDisk;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A node that kept its phones in a file is given a database. */
@Tag("engine")
final class DevicesMoveIT {
  @TempDir Path data;
  @TempDir Path other;

  private final AtomicLong now = new AtomicLong(System.currentTimeMillis());
  private MongoServer server;
  private String database;
  private DevicesNode node;
  private Path file;

  @BeforeEach
  void fill() throws Exception {
    server = MongoServer.any();
    database = server.newDatabase();
    node = new DevicesNode(server, database, 0, data, now);
    file = data.resolve("devices");
    FileDevices devices =
        new FileDevices(config(), data, new FileDisk(), () -> Instant.ofEpochMilli(now.get()));
    devices.tie("tied", "r", "g");
    devices.tell("told", text("a1"));
    devices.tie("both", "s", null);
    devices.tell("both", text("a2"));
    devices.tie("there", "mine", null);
    devices.tell("there", text("a3"));
    devices.drain(Duration.ofSeconds(1));
  }

  @AfterEach
  void end() {
    node.close();
    server.drop(database);
  }

  private void isMoved(Devices devices) throws Exception {
    assertThat(devices.isRead()).isTrue();
    assertThat(devices.riderOf("tied")).isEqualTo("r");
    assertThat(DevicesContract.find(devices, "tied").group()).isEqualTo("g");
    assertThat(devices.riderOf("both")).isEqualTo("s");
    assertThat(devices.riderOf("there")).isEqualTo("theirs");
    assertThat(waiting(devices, "told")).containsExactly("a1");
    assertThat(waiting(devices, "both")).containsExactly("a2");
    assertThat(waiting(devices, "there")).isEmpty();
    assertThat(file).doesNotExist();
    assertThat(data.resolve("devices.moved")).isRegularFile();
  }

  /** Another node of the database has tied one of the devices to another rider. */
  private void tieThere() throws Exception {
    node.store().tie("there", "theirs", null, now.get());
  }

  @Test
  void file_isBroughtOnce_andWhatIsThereStays() throws Exception {
    byte[] before = Files.readAllBytes(file);
    tieThere();
    SharedDevices moved = node.start();
    isMoved(moved);
    assertThat(data.resolve("devices.moved")).hasBinaryContent(before);
    assertThat(taken(moved, "told")).containsExactly("a1");
    DevicesNode.stop(moved); // saves that it was sent
    moved.untie("tied");
    SharedDevices again = node.begin();
    assertThat(waiting(again, "told")).isEmpty();
    assertThat(again.riderOf("tied")).as("not brought again").isEqualTo("tied");
  }

  @Test
  void killedInBetween_theNextStartCompletesIt() throws Exception {
    tieThere();
    AtomicInteger calls = new AtomicInteger();
    DevicesNode dies =
        new DevicesNode(server, database, 0, data, now)
            .with(
                store ->
                    new DeviceStoreWrap(store) {
                      @Override
                      public List<Restored> restore(List<Device> brought, long nowMillis)
                          throws IOException, InterruptedException {
                        calls.incrementAndGet();
                        super.restore(brought.subList(0, 2), nowMillis);
                        throw new IOException("killed");
                      }
                    });
    try (dies) {
      assertThat(dies.begin().isRead()).isFalse();
      assertThat(calls.get()).isEqualTo(1);
      assertThat(file).isRegularFile();
    }
    isMoved(node.begin());
  }

  @Test
  void killedBeforeTheFileIsRenamed_theNextStartChangesNothing() throws Exception {
    tieThere();
    DevicesNode dies =
        new DevicesNode(server, database, 0, data, now)
            .with(
                new ForwardingDisk(new FileDisk()) {
                  @Override
                  public void rename(Path from, Path to) throws IOException {
                    throw new IOException("killed");
                  }
                });
    try (dies) {
      assertThat(dies.begin().isRead()).isFalse();
      assertThat(file).isRegularFile();
    }
    isMoved(node.begin());
  }

  @Test
  void damagedFile_stopsTheStart_andIsNamed() throws Exception {
    byte[] damaged = Files.readAllBytes(file);
    damaged[3] ^= 1;
    Files.write(file, damaged);
    assertThatThrownBy(node::begin).isInstanceOf(IOException.class).hasMessageContaining("devices");
    assertThat(file).hasBinaryContent(damaged);
  }
}
