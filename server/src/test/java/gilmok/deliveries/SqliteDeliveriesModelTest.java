package gilmok.deliveries;

import static org.assertj.core.api.Assertions.assertThat;

import gilmok.Seeds;
import gilmok.auth.Binding;
import gilmok.deliveries.DeliveryStore.Creation;
import gilmok.deliveries.DeliveryStore.Filter;
import gilmok.deliveries.DeliveryStore.Moving;
import gilmok.deliveries.Outbox.Due;
import gilmok.deliveries.Outbox.Told;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Random creations, moves, actions, sent events and reopenings, compared with {@link
 * DeliveriesModel}: every answer must be the same, and so must what is found, listed and due.
 */
@Tag("unit")
@Tag("soak")
final class SqliteDeliveriesModelTest {
  private static final List<Step> STEPS = List.of(Step.values());
  private static final List<OutboxReader> READERS = List.of(OutboxReader.values());

  @TempDir Path temp;

  @Test
  void anyOperations_answerAsTheModel() {
    Seeds.each(120, this::run);
  }

  private void run(long seed) throws IOException, InterruptedException {
    Random random = new Random(seed);
    Path folder = temp.resolve("seed" + seed);
    java.nio.file.Files.createDirectories(folder);
    Day day = new Day();
    DeliveriesModel model = new DeliveriesModel(day);
    SqliteRig rig = new SqliteRig(folder, day);
    try {
      for (int i = 0; i < 500; i++) {
        String name = "seed " + seed + ", operation " + i;
        day.pass(random.nextInt(50) == 0 ? random.nextInt(30_000_000) : random.nextInt(100));
        operate(rig, model, day, random, name, i);
        if (i % 50 == 49) {
          rig.close();
          rig = new SqliteRig(folder, day);
          check(rig, model, day, random, name);
        }
      }
    } finally {
      rig.close();
    }
  }

  private static void operate(
      SqliteRig rig, DeliveriesModel model, Day day, Random random, String name, int at)
      throws IOException, InterruptedException {
    int dice = random.nextInt(100);
    if (model.isEmpty() || dice < 20) {
      DeliveryOrder order =
          Day.order(
              "order-" + random.nextInt(60),
              "shop-" + random.nextInt(2),
              random.nextBoolean() ? Day.AGENCY : null);
      Delivery first = day.of(order);
      DeliveryStore.Wish wish =
          random.nextBoolean()
              ? Day.wish(first)
              : Day.wish(first, "key-" + random.nextInt(20), "hash-" + random.nextInt(2));
      Creation expected = model.create(wish);
      assertThat(rig.deliveries().create(List.of(wish))).as(name).containsExactly(expected);
      return;
    }
    String id = model.any(random);
    OutboxReader reader = READERS.get(random.nextInt(READERS.size()));
    int sequence = 1 + random.nextInt(5);
    if (dice < 60) {
      Move move = move(day, random);
      Moving expected = model.move(id, move);
      assertThat(rig.deliveries().move(id, move)).as(name).isEqualTo(expected);
    } else if (dice < 80) {
      Step step = STEPS.get(1 + random.nextInt(STEPS.size() - 1));
      String source = "n:" + (random.nextInt(10) == 0 ? at / 2 : at);
      Move action =
          Day.action(
              step, "rider-" + random.nextInt(2), source, day.millis() - random.nextInt(10_000));
      Delivery expected = model.act(id, action);
      assertThat(rig.deliveries().act(id, action)).as(name).isEqualTo(expected);
    } else if (dice < 92) {
      model.told(id, reader, sequence);
      rig.outbox().told(List.of(new Told(id, reader, sequence)));
    } else if (dice < 96) {
      long due = day.millis() + random.nextInt(1_000);
      model.failed(id, reader, sequence, due);
      rig.outbox().failed(id, reader, sequence, due, "refused", null);
    } else if (dice < 99) {
      model.setAside(id, reader, sequence);
      rig.outbox().setAside(id, reader, sequence, "gone", null);
    } else {
      String shop = "shop-" + random.nextInt(2);
      long from = day.millis() - random.nextInt(20_000_000);
      assertThat(rig.outbox().webhooks().replay(OutboxReader.SHOP, shop, from))
          .as(name)
          .isEqualTo(model.replayShop(shop, from));
    }
  }

  private static Move move(Day day, Random random) {
    Step step = STEPS.get(1 + random.nextInt(STEPS.size() - 1));
    return switch (random.nextInt(5)) {
      case 0 -> day.bound(step, Binding.Kind.AGENCY, "agency-" + (1 + random.nextInt(2)));
      case 1 -> day.ifVersion(step, 1 + random.nextInt(4));
      default ->
          step == Step.ASSIGN || random.nextInt(4) == 0
              ? day.assign("rider-" + random.nextInt(2))
              : day.move(step);
    };
  }

  private static void check(
      SqliteRig rig, DeliveriesModel model, Day day, Random random, String name)
      throws IOException, InterruptedException {
    for (Delivery one : model.all()) {
      assertThat(rig.deliveries().find(one.id())).as(name).isEqualTo(one);
    }
    for (int i = 0; i < 20; i++) {
      Filter filter =
          new Filter(
              maybe(random, List.of(Status.values())),
              maybe(random, List.of("rider-0", "rider-1")),
              maybe(random, List.of("shop-0", "shop-1")),
              maybe(random, List.of("agency-1", "agency-2")),
              random.nextInt(3) == 0 ? day.millis() - random.nextInt(20_000_000) : null,
              random.nextInt(3) == 0 ? day.millis() - random.nextInt(1_000_000) : null);
      String before = random.nextInt(3) == 0 ? model.any(random) : null;
      assertThat(rig.deliveries().list(filter, before, 1 + i))
          .as(name + ", " + filter)
          .isEqualTo(model.list(filter, before, 1 + i));
    }
    for (OutboxReader reader : READERS) {
      List<Due> due = new ArrayList<>();
      for (int shard : IntStream.range(0, DeliveryId.SHARDS).toArray()) {
        due.addAll(rig.outbox().due(reader, Shards.of(shard), day.millis(), 1_000));
      }
      due.sort(Comparator.comparing(one -> one.delivery().id()));
      assertThat(due).as(name + ", " + reader).isEqualTo(model.due(reader));
    }
  }

  private static <T> @Nullable T maybe(Random random, List<T> all) {
    return random.nextInt(3) > 0
        ? null
        : Objects.requireNonNull(all.get(random.nextInt(all.size())));
  }
}
