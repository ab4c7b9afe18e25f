package gilmok.accept;

import gilmok.app.Documents;
import gilmok.auth.KeyStore;
import gilmok.auth.MongoKeys;
import gilmok.background.BackgroundThread;
import gilmok.deliveries.Delivery;
import gilmok.deliveries.DeliveryId;
import gilmok.deliveries.DeliveryOrder;
import gilmok.deliveries.DeliveryPlace;
import gilmok.deliveries.DeliveryStore;
import gilmok.deliveries.DeliveryStore.Creation;
import gilmok.deliveries.DeliveryStore.Idempotency;
import gilmok.deliveries.DeliveryStore.Moving;
import gilmok.deliveries.DeliveryStore.Wish;
import gilmok.deliveries.Lifecycle;
import gilmok.deliveries.MongoDeliveries;
import gilmok.deliveries.MongoPartners;
import gilmok.deliveries.Move;
import gilmok.deliveries.OrderTerms;
import gilmok.deliveries.Outbox;
import gilmok.deliveries.OutboxReader;
import gilmok.deliveries.Shards;
import gilmok.deliveries.Step;
import gilmok.deliveries.StepDetails;
import gilmok.deliveries.UnreadableDeliveries;
import gilmok.documents.MongoConfig;
import gilmok.documents.MongoDocuments;
import gilmok.documents.MongoIndexes;
import gilmok.event.DayRange;
import gilmok.missions.MissionStore;
import gilmok.missions.MongoMissions;
import gilmok.observe.Meters;
import gilmok.statements.EntryKind;
import gilmok.statements.EntryStore;
import gilmok.statements.MongoEntries;
import gilmok.statements.StatementEntry;
import java.io.IOException;
import java.time.Clock;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.random.RandomGenerator;

/**
 * What the stores promise over MongoDB, as their tests' contracts say it, tried in a scratch
 * database: what happens once happens once, also when many ask at the same time. Not thread-safe.
 */
final class MongoContracts {
  /** How often each hot operation is timed, unless that takes longer. */
  private static final int ROUNDS = 50;

  private static final long ROUNDS_NANOS_MAX = TimeUnit.SECONDS.toNanos(5);

  private static final int AT_ONCE = 8;
  private static final String HASH = "a".repeat(64);
  private static final String OTHER_HASH = "b".repeat(64);
  private static final String KEY = "key:accept";
  private static final String ADVICE =
      "look at the server's version and topology: the stores rely on what MongoDB 5.0 and newer do"
          + " in a replica set";

  private final Findings findings;
  private final MongoDocuments documents;
  private final MongoDeliveries deliveries;
  private final MongoPartners partners;
  private final EntryStore entries;
  private final MissionStore missions;
  private final KeyStore keys;
  private final RandomGenerator random = RandomGenerator.getDefault();
  private int orders;

  /** The stores of a scratch database, which is empty. */
  MongoContracts(Findings findings, MongoDocuments documents, Meters meters) {
    this.findings = findings;
    this.documents = documents;
    Clock clock = Clock.systemUTC();
    deliveries = new MongoDeliveries(documents, clock, new UnreadableDeliveries(meters, clock));
    partners = new MongoPartners(documents);
    entries = new MongoEntries(documents);
    missions = new MongoMissions(documents);
    keys = new MongoKeys(documents);
  }

  /** Makes the indexes, and tries everything. */
  void run() throws InterruptedException {
    if (!step("collections and indexes can be made", MongoRights.ADVICE, this::indexes)) {
      return;
    }
    step("a delivery is created once", ADVICE, this::creation);
    step("of moves at once, one happens", ADVICE, this::moves);
    step("an event is due until it was told", ADVICE, this::events);
    step("a lease has one holder", ADVICE, this::lease);
    step("an earning counts once", ADVICE, this::earnings);
    step("progress settles once", ADVICE, this::progress);
    step("a changed key is seen", ADVICE, this::changedKey);
    step("hot operations answer", ADVICE, this::rounds);
  }

  private boolean step(String what, String advice, Findings.Step taken)
      throws InterruptedException {
    return findings.step(what, advice, MongoRights.naming(taken));
  }

  private String indexes() throws IOException, InterruptedException {
    List<String> lacking =
        new MongoIndexes(
                documents, MongoConfig.IndexMode.WHERE_EMPTY, Documents.InMongo.wantedIndexes())
            .look();
    Findings.require(lacking.isEmpty(), String.join("; ", lacking));
    partners.addLeases();
    return "all that the stores need";
  }

  private Delivery delivery() {
    long now = System.currentTimeMillis();
    DeliveryPlace place = new DeliveryPlace(37.4979, 127.0276, "accept", null);
    DeliveryOrder order =
        new DeliveryOrder(
            "order-" + ++orders, "shop-1", "agency-1", null, place, place, OrderTerms.NONE);
    return Lifecycle.create(DeliveryId.next(now, random), order, KEY, now);
  }

  private static Wish wish(Delivery first, String hash) {
    return new Wish(first, new Idempotency(KEY, first.order().orderId(), hash));
  }

  private static Move move(Step step, StepDetails details) {
    long now = System.currentTimeMillis();
    return new Move(step, KEY, null, now, now, null, details);
  }

  private String creation() throws IOException, InterruptedException {
    Delivery first = delivery();
    Wish wish = wish(first, HASH);
    one(deliveries.create(List.of(wish)), new Creation.Created(first));
    one(deliveries.create(List.of(wish)), new Creation.Repeated(first));
    one(deliveries.create(List.of(wish(first, OTHER_HASH))), new Creation.KeyReused());
    Delivery other =
        Lifecycle.create(
            DeliveryId.next(System.currentTimeMillis(), random), first.order(), KEY, 1);
    one(deliveries.create(List.of(new Wish(other, null))), new Creation.OrderTaken(first.id()));
    Findings.require(first.equals(deliveries.find(first.id())), "it is read back otherwise");
    return "a repeat, a reused key and a taken order are told apart";
  }

  private static void one(List<Creation> answers, Creation wanted) throws IOException {
    Findings.require(
        answers.equals(List.of(wanted)),
        "wanted "
            + wanted.getClass().getSimpleName()
            + ", got "
            + answers.getFirst().getClass().getSimpleName());
  }

  private String moves() throws IOException, InterruptedException {
    Delivery first = created();
    Queue<Object> answers = new ConcurrentLinkedQueue<>();
    List<Thread> threads = new ArrayList<>();
    for (int i = 0; i < AT_ONCE; i++) {
      threads.add(
          BackgroundThread.startVirtual(
              "accept-move",
              () -> {
                try {
                  answers.add(deliveries.move(first.id(), move(Step.ACCEPT, StepDetails.NONE)));
                } catch (IOException failed) {
                  answers.add(failed);
                } catch (InterruptedException ended) {
                  Thread.currentThread().interrupt();
                }
              }));
    }
    for (Thread thread : threads) {
      thread.join();
    }
    long moved = answers.stream().filter(Moving.Moved.class::isInstance).count();
    long denied = answers.stream().filter(Moving.Denied.class::isInstance).count();
    String seen = "%d of %d happened, %d were denied".formatted(moved, AT_ONCE, denied);
    Findings.require(moved == 1 && denied == AT_ONCE - 1, seen + ": " + failures(answers));
    return seen;
  }

  private static String failures(Queue<Object> answers) {
    return answers.stream()
        .filter(IOException.class::isInstance)
        .findFirst()
        .map(one -> String.valueOf(((IOException) one).getMessage()))
        .orElse("no failures");
  }

  private Delivery created() throws IOException, InterruptedException {
    Delivery first = delivery();
    one(deliveries.create(List.of(new Wish(first, null))), new Creation.Created(first));
    return first;
  }

  private String events() throws IOException, InterruptedException {
    Delivery first = created();
    Findings.require(isDue(first), "a new delivery is not due");
    deliveries.told(List.of(new Outbox.Told(first.id(), OutboxReader.LOG, first.events().size())));
    Findings.require(!isDue(first), "what was told is due again");
    return "a new one is due, a told one is not";
  }

  private boolean isDue(Delivery delivery) throws IOException, InterruptedException {
    long later = System.currentTimeMillis() + 1_000;
    return deliveries.due(OutboxReader.LOG, Shards.ALL, later, 1_000).stream()
        .anyMatch(due -> due.delivery().id().equals(delivery.id()));
  }

  private String lease() throws IOException, InterruptedException {
    long now = System.currentTimeMillis();
    long until = now + 60_000;
    Findings.require(partners.lease(0, "accept-a", now, until), "a free one is not given");
    Findings.require(!partners.lease(0, "accept-b", now, until), "two hold it");
    partners.release(0, "accept-a");
    Findings.require(partners.lease(0, "accept-b", now, until), "a released one is not given");
    return "and the next one once it is released";
  }

  private String earnings() throws IOException, InterruptedException {
    StatementEntry fee = entry("accept-1", 1);
    StatementEntry differing = entry("accept-1", 2);
    added(entries.add(List.of(fee, entry("accept-2", 2))), 2, 0, List.of());
    added(entries.add(List.of(fee)), 0, 1, List.of());
    added(entries.add(List.of(differing)), 0, 1, List.of("accept-1"));
    LocalDate today = LocalDate.now(ZoneOffset.UTC);
    DayRange days = DayRange.of(today.minusDays(1), today.plusDays(1), ZoneOffset.UTC);
    long sum = 0;
    var sums = entries.sum("accept-rider", days, "KRW");
    for (int day = 0; day < days.count(); day++) {
      sum += sums.fee(day);
    }
    Findings.require(sum == 3, "the sum of 1 and 2, each sent twice, is " + sum);
    return "a repeat and a differing repeat change no sum";
  }

  private static StatementEntry entry(String id, long amount) {
    long now = System.currentTimeMillis();
    return new StatementEntry(
        id, "accept-rider", now - now % 86_400_000, EntryKind.FEE, amount, "KRW", null, 0);
  }

  private static void added(EntryStore.Added got, int accepted, int repeats, List<String> differing)
      throws IOException {
    Findings.require(got.equals(new EntryStore.Added(accepted, repeats, differing)), "got " + got);
  }

  private String progress() throws IOException, InterruptedException {
    missions.putProgress("accept-rider", "m1", "{\"done\":1}");
    long version = missions.putProgress("accept-rider", "m1", "{\"done\":2}").version();
    var stale = List.of(new MissionStore.Due("m1", version - 1));
    var present = List.of(new MissionStore.Due("m1", version));
    int wrong = missions.settle("accept-rider", stale, 1);
    int right = missions.settle("accept-rider", present, 1);
    int again = missions.settle("accept-rider", present, 2);
    Findings.require(
        wrong == 0 && right == 1 && again == 0,
        "settled %d stale, %d present, %d again".formatted(wrong, right, again));
    return "not a stale one, not again";
  }

  private String changedKey() throws IOException, InterruptedException {
    long before = keys.revision();
    keys.change(List.of(new KeyStore.Kept("accept", "{}")), List.of());
    Findings.require(keys.revision() != before, "its revision did not change");
    keys.change(List.of(), List.of("accept"));
    Findings.require(keys.all().isEmpty(), "a removed one is there");
    return "added, seen, removed";
  }

  private String rounds() throws IOException, InterruptedException {
    StepDetails rider = new StepDetails(null, null, "accept-rider", null, null, null, null);
    DeliveryStore.Filter ofRider =
        new DeliveryStore.Filter(null, "accept-rider", null, null, null, null);
    LocalDate today = LocalDate.now(ZoneOffset.UTC);
    DayRange day = DayRange.of(today, today, ZoneOffset.UTC);
    long began = System.nanoTime();
    int rounds = 0;
    for (; rounds < ROUNDS && System.nanoTime() - began < ROUNDS_NANOS_MAX; rounds++) {
      Delivery first = findings.time("create a delivery", this::created);
      findings.time("find a delivery", () -> deliveries.find(first.id()) != null);
      findings.time(
          "move a delivery",
          () -> deliveries.move(first.id(), move(Step.ACCEPT, StepDetails.NONE)));
      deliveries.move(first.id(), move(Step.ASSIGN, rider));
      findings.time("a rider's deliveries", () -> deliveries.list(ofRider, null, 20));
      StatementEntry entry = entry("accept-round-" + rounds, 1);
      findings.time("add an earning", () -> entries.add(List.of(entry)));
      findings.time("sum a statement", () -> entries.sum("accept-rider", day, "KRW"));
      findings.time(
          "put a progress", () -> missions.putProgress("accept-rider", "m2", "{\"done\":1}"));
    }
    return rounds + " rounds, see the times below";
  }
}
