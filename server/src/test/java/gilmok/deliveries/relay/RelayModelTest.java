package gilmok.deliveries.relay;

import static org.assertj.core.api.Assertions.assertThat;

import gilmok.Seeds;
import gilmok.deliveries.Delivery;
import gilmok.deliveries.OutboxReader;
import gilmok.deliveries.Step;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Simulated days in which partners fail, nodes end in the middle and restart, and the store does
 * not answer. In the end, every partner must have every event of its deliveries, in order; only the
 * event that was sent last may have been repeated.
 */
@Tag("unit")
@Tag("soak")
class RelayModelTest {
  private static final int STEPS = 3_000;
  private static final int DELIVERIES_MAX = 60;

  @ParameterizedTest
  @MethodSource("seeds")
  void everything_isToldInOrder_whateverHappens(long seed) throws Exception {
    new Days(seed, 1 + (int) (seed % 2)).run();
  }

  private static LongStream seeds() {
    return Seeds.of(60);
  }

  private static final class Days {
    private final Random random;
    private final Orders clock;
    private final MemoryDocuments documents;
    private final List<RelayNode> nodes = new ArrayList<>();
    private final Map<String, Delivery> open = new TreeMap<>();
    private final Map<String, Notebook> books = new TreeMap<>();
    private boolean behaves;
    private boolean breaksWhileTold;

    Days(long seed, int count) throws Exception {
      random = new Random(seed);
      clock = new Orders(seed);
      documents = new MemoryDocuments(clock);
      documents.put(Orders.shop("s1", "http://10.0.0.1/s1"));
      documents.put(Orders.shop("s2", "http://10.0.0.1/s2"));
      documents.put(Orders.agency("a1", "http://10.0.0.1/a1"));
      for (int i = 0; i < count; i++) {
        nodes.add(node(i));
      }
    }

    private RelayNode node(int i) {
      // After a restart a node has the same name, as its data folder keeps it.
      return new RelayNode(documents, clock, "node-" + i, true, this::send);
    }

    private WebhookOutcome send(WebhookCall call) {
      double dice = behaves ? 1 : random.nextDouble();
      if (dice < 0.10) {
        clock.pass(15_000);
        return WebhookOutcome.none("no answer");
      }
      if (dice < 0.25) {
        return new WebhookOutcome(500, "HTTP 500", 0);
      }
      if (dice < 0.27) {
        return new WebhookOutcome(429, "HTTP 429", 2_000);
      }
      books.computeIfAbsent(call.target().path(), _ -> new Notebook(true)).take(call.id());
      if (dice < 0.30) {
        // The partner has taken the event, but the node does not learn of it.
        return WebhookOutcome.none("connection closed");
      }
      documents.isBroken = breaksWhileTold;
      return new WebhookOutcome(200, "", 0);
    }

    void run() throws Exception {
      for (int i = 0; i < STEPS; i++) {
        step();
      }
      behaves = true;
      documents.isBroken = false;
      breaksWhileTold = false;
      for (int i = 0; i < 5_000 && !isDone(); i++) {
        clock.pass(60_000);
        for (RelayNode node : nodes) {
          node.pass();
        }
      }
      assertThat(isDone()).as("everything is told").isTrue();
      assertThat(documents.aside).isEmpty();
      for (String path : List.of("/s1", "/s2", "/a1")) {
        String id = path.substring(1);
        List<Delivery> theirs =
            documents.deliveries().stream()
                .filter(one -> id.equals(one.order().shopId()) || id.equals(one.agencyId()))
                .toList();
        assertThat(theirs).isNotEmpty();
        books.getOrDefault(path, new Notebook(true)).assertWhole(theirs);
      }
    }

    private boolean isDone() {
      return documents.isEmpty(OutboxReader.SHOP) && documents.isEmpty(OutboxReader.AGENCY);
    }

    private void step() throws Exception {
      RelayNode node = nodes.get(random.nextInt(nodes.size()));
      switch (random.nextInt(12)) {
        case 0 -> create();
        case 1, 2 -> move();
        case 3, 4, 5 -> pass(node);
        case 6, 7, 8 -> node.runOne(random);
        case 9 -> clock.pass(random.nextInt(3_000));
        case 10 -> clock.pass(random.nextInt(20_000));
        default -> trouble();
      }
    }

    private void create() throws Exception {
      if (documents.deliveries().size() < DELIVERIES_MAX) {
        String shop = "s" + (1 + random.nextInt(3));
        Delivery first = clock.create(documents, shop, random.nextBoolean() ? "a1" : null);
        open.put(first.id(), first);
      }
    }

    private void move() throws Exception {
      if (!open.isEmpty()) {
        Delivery one = List.copyOf(open.values()).get(random.nextInt(open.size()));
        Step step = Orders.WAY.get(one.version() - 1);
        Delivery after = clock.move(documents, one, step);
        open.put(after.id(), after);
        if (after.status().isEnd()) {
          open.remove(after.id());
        }
        nodes.forEach(node -> node.poller.changed(after));
      }
    }

    private static void pass(RelayNode node) throws Exception {
      try {
        node.poller.pass();
      } catch (IOException broken) {
        // The relay's thread, too, tries again in its next round.
        assertThat(broken).hasMessage("the store does not answer");
      }
    }

    private void trouble() {
      switch (random.nextInt(10)) {
        case 0 -> {
          // The node restarts; the calls that it had begun end with it.
          int i = random.nextInt(nodes.size());
          nodes.set(i, node(i));
        }
        case 1 -> breaksWhileTold = true;
        default -> {
          documents.isBroken = false;
          breaksWhileTold = false;
        }
      }
    }
  }
}
