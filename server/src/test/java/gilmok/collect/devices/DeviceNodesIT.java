package gilmok.collect.devices;

import static gilmok.collect.devices.DevicesContract.await;
import static gilmok.collect.devices.DevicesContract.ends;
import static gilmok.collect.devices.DevicesContract.find;
import static gilmok.collect.devices.DevicesContract.taken;
import static gilmok.collect.devices.DevicesContract.text;
import static gilmok.collect.devices.DevicesContract.waiting;
import static org.assertj.core.api.Assertions.assertThat;

import com.mongodb.client.MongoCollection;
import gilmok.collect.devices.Devices.Outcome;
import gilmok.documents.MongoServer;
import gilmok.documents.MongoWire;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.IntStream;
import org.bson.Document;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Phones of two nodes on one database, the second of which can lose its way to it. */
@Tag("engine")
final class DeviceNodesIT {
  private static final int ROUNDS = 27;

  @TempDir Path here;
  @TempDir Path there;

  private final AtomicLong now = new AtomicLong(System.currentTimeMillis());
  private final List<Devices> started = new ArrayList<>();
  private MongoServer server;
  private String database;
  private MongoWire wire;
  private DevicesNode one;
  private DevicesNode other;

  @BeforeEach
  void connect() throws Exception {
    server = MongoServer.any();
    database = server.newDatabase();
    wire = MongoWire.to(server);
    one = new DevicesNode(server, database, 0, here, now);
    other = new DevicesNode(server, database, wire.port(), there, now);
  }

  @AfterEach
  void end() throws Exception {
    wire.mend();
    for (Devices devices : started) {
      DevicesNode.stop(devices);
    }
    one.close();
    other.close();
    wire.close();
    server.drop(database);
  }

  private Devices start(DevicesNode node) throws Exception {
    Devices devices = node.start();
    started.add(devices);
    return devices;
  }

  private MongoCollection<Document> stored() {
    return server.database(database).getCollection(MongoDevices.COLLECTION);
  }

  @Test
  void whatOneChanges_theOtherSees() throws Exception {
    Devices a = start(one);
    Devices b = start(other);
    b.heard("d", "osmand");
    a.tie("d", "r", "g");
    await("tied", () -> b.riderOf("d").equals("r"));
    assertThat(find(b, "d").dialect()).as("b alone has heard it").isEqualTo("osmand");
    assertThat(find(a, "d").dialect()).isNull();
    b.tie("e", "s", "g");
    await("grouped", () -> a.friends("d").equals(List.of("s")));
    a.tell("d", text("a1"));
    await("told", () -> waiting(b, "d").equals(List.of("a1")));
    assertThat(taken(b, "d")).containsExactly("a1");
    await("sent", () -> ends(a, "d").equals(List.of("a1 sent")));
    assertThat(taken(a, "d")).isEmpty();
    a.untie("d");
    await("untied", () -> b.riderOf("d").equals("d") && b.friends("e").isEmpty());
    a.tie("d", "again", null);
    await("tied again", () -> b.riderOf("d").equals("again"));
  }

  @Test
  void uploadsThatRace_getACommandOnce() throws Exception {
    Devices a = start(one);
    Devices b = start(other);
    CyclicBarrier both = new CyclicBarrier(4);
    for (int round = 0; round < ROUNDS; round++) {
      String command = Integer.toHexString(round);
      String device = "d" + round % 3;
      (round % 2 == 0 ? a : b).tell(device, text(command));
      await("told", () -> waiting(a, device).contains(command) && b.hasCommands(device));
      List<CompletableFuture<List<String>>> uploads = new ArrayList<>();
      for (Devices node : List.of(a, b, a, b)) {
        uploads.add(
            CompletableFuture.supplyAsync(
                () -> {
                  try {
                    both.await();
                    return taken(node, device);
                  } catch (Exception failed) {
                    throw new AssertionError(failed);
                  }
                },
                Thread::startVirtualThread));
      }
      List<String> sent = new ArrayList<>();
      for (CompletableFuture<List<String>> upload : uploads) {
        sent.addAll(upload.get());
      }
      assertThat(sent).as("round " + round).containsExactly(command);
      await("ended", () -> !a.hasCommands(device) && !b.hasCommands(device));
    }
    assertThat(IntStream.range(0, 3).mapToObj(i -> ends(a, "d" + i)))
        .allMatch(ends -> ends.size() == Device.ENDED_MAX)
        .allMatch(ends -> ends.stream().distinct().count() == Device.ENDED_MAX);
  }

  @Test
  void changesOfOneDevice_loseNothing_andKeepTheBound() throws Exception {
    Devices a = start(one);
    Devices b = start(other);
    AtomicInteger told = new AtomicInteger();
    List<CompletableFuture<Void>> all = new ArrayList<>();
    for (int i = 0; i < 12; i++) {
      String command = Integer.toHexString(i);
      Devices node = i % 2 == 0 ? a : b;
      boolean isTie = i % 3 == 0;
      all.add(
          CompletableFuture.runAsync(
              () -> {
                try {
                  if (isTie) {
                    node.tie("d", "r", "g");
                  } else if (node.tell("d", text(command)) == Outcome.DONE) {
                    told.incrementAndGet();
                  }
                } catch (IOException | InterruptedException failed) {
                  throw new AssertionError(failed);
                }
              },
              Thread::startVirtualThread));
    }
    for (CompletableFuture<Void> one : all) {
      one.get();
    }
    assertThat(told.get()).isEqualTo(DevicesContract.COMMANDS_MAX);
    for (Devices node : List.of(a, b)) {
      await("all", () -> waiting(node, "d").size() == told.get() && node.riderOf("d").equals("r"));
      assertThat(find(node, "d").group()).isEqualTo("g");
    }
  }

  @Test
  void databaseAway_whileACommandWaits_thePhoneIsAnsweredWithoutIt() throws Exception {
    Devices b = start(other);
    b.tell("d", text("a1"));
    wire.cut();
    assertThat(taken(b, "d")).isEmpty();
    assertThat(taken(b, "d")).isEmpty();
    assertThat(b.isRead()).isTrue();
    assertThat(waiting(b, "d")).containsExactly("a1");
    wire.mend();
    await("sent", () -> isSent(b, "a1"));
  }

  @Test
  void databaseThatHangs_thePhoneIsAnsweredWithoutItsCommand_whichComesLater() throws Exception {
    Devices b = start(other);
    b.tell("d", text("a1"));
    wire.hold();
    assertThat(taken(b, "d")).isEmpty();
    wire.release();
    now.addAndGet(SharedDevices.HOLD.toMillis() + 1); // the database may have taken hold of it
    await("sent", () -> isSent(b, "a1"));
    await("ended", () -> ends(b, "d").equals(List.of("a1 sent")) && !b.hasCommands("d"));
  }

  private static boolean isSent(Devices node, String command) {
    try {
      return taken(node, "d").equals(List.of(command));
    } catch (Exception failed) {
      throw new AssertionError(failed);
    }
  }

  @Test
  void databaseAway_afterACommandWasSent_itIsNotSentAgain() throws Exception {
    AtomicBoolean isAway = new AtomicBoolean();
    other.with(
        store ->
            new DeviceStoreWrap(store) {
              @Override
              public void end(List<Ending> endings) throws IOException, InterruptedException {
                if (isAway.get()) {
                  throw new IOException("away");
                }
                super.end(endings);
              }
            });
    Devices b = start(other);
    b.tell("d", text("a1"));
    isAway.set(true);
    assertThat(taken(b, "d")).containsExactly("a1");
    b.tell("d", text("a2")); // the database's reading has a1, too
    now.addAndGet(SharedDevices.HOLD.toMillis() + 1);
    List<String> sent = new ArrayList<>(taken(b, "d"));
    isAway.set(false);
    await("saved", () -> ends(b, "d").contains("a1 sent") && !waiting(b, "d").contains("a1"));
    await(
        "sent",
        () -> {
          try {
            sent.addAll(taken(b, "d"));
          } catch (Exception failed) {
            throw new AssertionError(failed);
          }
          return !sent.isEmpty();
        });
    assertThat(sent).as("not a1").containsExactly("a2");
  }

  @Test
  void nodeThatDies_whileItHoldsACommand_anotherSendsItLater() throws Exception {
    Devices a = start(one);
    a.tell("d", text("a1"));
    SharedDevices dying = other.begin(); // its loop never runs: no end is saved
    assertThat(taken(dying, "d")).containsExactly("a1");
    await("held", () -> find(a, "d").waiting().getFirst().heldUntilMillis() > now.get());
    assertThat(taken(a, "d")).as("held for the dead node's answer").isEmpty();
    now.addAndGet(SharedDevices.HOLD.toMillis() + 1);
    assertThat(taken(a, "d")).containsExactly("a1");
    await("ended", () -> ends(a, "d").equals(List.of("a1 sent")));
  }

  @Test
  void databaseAway_atTheStart_nothingIsKnown_untilItAnswers() throws Exception {
    Devices a = start(one);
    a.tie("d", "r", null);
    wire.cut();
    Devices b = start(other);
    assertThat(b.isRead()).isFalse();
    assertThat(other.isReady()).isFalse();
    wire.mend();
    await("read", b::isRead);
    assertThat(b.riderOf("d")).isEqualTo("r");
    assertThat(other.isReady()).isTrue();
  }

  @Test
  void documentsRemovedByHand_andEmptyOnes_areGoneAfterAReadingOfAll() throws Exception {
    Devices a = start(one);
    a.tie("kept", "r", "g");
    a.tie("gone", "s", "g");
    a.tie("empty", "t", null);
    a.untie("empty");
    stored().deleteOne(new Document("_id", "gone"));
    stored().insertOne(new Document("_id", "odd").append("riderId", 5).append("version", 1L));
    assertThat(a.riderOf("gone")).isEqualTo("s");
    DevicesNode.stop(a);
    now.addAndGet(2 * MongoDevices.IDLE.toMillis());
    SharedDevices b = other.begin();
    assertThat(b.riderOf("kept")).isEqualTo("r");
    assertThat(b.riderOf("gone")).isEqualTo("gone");
    b.readAllSoon();
    b.pass();
    assertThat(stored().find().map(found -> found.getString("_id")).into(new ArrayList<>()))
        .containsExactlyInAnyOrder("kept", "odd");
    stored().deleteOne(new Document("_id", "kept"));
    b.readAllSoon();
    b.pass();
    assertThat(b.riderOf("kept")).isEqualTo("kept");
    a.tie("empty", "back", null);
    b.pass();
    assertThat(b.riderOf("empty")).isEqualTo("back");
  }

  @Test
  void moreChangesThanAPage_areAllRead() throws Exception {
    DevicesConfig roomy = new DevicesConfig(10_000, 3, Duration.ofDays(1));
    Devices a = start(one.with(roomy));
    SharedDevices b = other.with(roomy).begin();
    List<Device> many =
        IntStream.range(0, DeviceStore.PAGE_MAX + 7)
            .mapToObj(i -> Device.unknown("d" + i).tied("r" + i, null))
            .toList();
    assertThat(a.tieNew(many)).allMatch(tied -> tied.hasRoom() && tied.there() == null);
    b.pass();
    assertThat(many).allMatch(device -> b.riderOf(device.id()).equals(device.rider()));
    assertThat(other.begin().size()).isEqualTo(many.size());
  }
}
