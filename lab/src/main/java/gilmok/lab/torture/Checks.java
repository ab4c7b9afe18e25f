package gilmok.lab.torture;

import gilmok.lab.Reply;
import gilmok.lab.Shell;
import gilmok.lab.crash.Entry;
import gilmok.lab.crash.Violations;
import gilmok.lab.firehose.Kept;
import gilmok.lab.partner.PartnerCount;
import gilmok.lab.partner.WebhookBook;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.MissingNode;

/** Checks a server without load against the journal. Every difference is a finding. Blocks. */
final class Checks {
  private static final Duration CATCH_UP = Duration.ofSeconds(30);

  /** The time for a sink to receive the whole log again. */
  private static final Duration CATCH_UP_ON_ALL = Duration.ofMinutes(2);

  /** How long the log must not have grown before it is checked. */
  private static final Duration STILL = Duration.ofSeconds(2);

  private static final int LOOKS_MAX = 3;

  private static final Duration CAT_WAIT = Duration.ofMinutes(3);

  private final World world;
  private final Caller caller;
  private final Journal journal;
  private final Violations findings;
  private final Toll toll;

  /**
   * The checks of a world.
   *
   * @param toll the losses that are allowed
   */
  Checks(World world, Toll toll) {
    this.toll = toll;
    this.world = world;
    this.caller = world.caller();
    this.journal = world.journal();
    this.findings = journal.findings();
  }

  /**
   * Runs all checks.
   *
   * @param since the index of the first order that was not checked before
   * @return how many records the log has, including those deleted from it
   */
  long run(int since) throws IOException, InterruptedException {
    Duration catchUp = toll.accounts().isEmpty() ? CATCH_UP : CATCH_UP_ON_ALL;
    if (!isStill(catchUp)) {
      findings.add("after " + catchUp + " something waits for a sink: " + caller.get("/v1/sinks"));
    }
    webhooks(since);
    deliveries(since);
    statements();
    puts();
    keys();
    LogLines lines = lines();
    positions(toll.positions() ? lines.first() : Long.MIN_VALUE);
    log(lines);
    return lines.size();
  }

  /**
   * Waits until no record waits for a sink and the log does not grow. The events of deliveries
   * enter the log a moment after the response, and that moment is long while code is cold.
   */
  private boolean isStill(Duration atMost) throws InterruptedException {
    JsonNode[] last = {MissingNode.getInstance()};
    long[] since = {System.nanoTime()};
    return Settling.await(
        atMost,
        () -> {
          JsonNode now = asked("/v1/ledger").json().path("streams");
          if (!isNothingWaiting() || now.isEmpty() || !now.equals(last[0])) {
            last[0] = now;
            since[0] = System.nanoTime();
          }
          return System.nanoTime() - since[0] > STILL.toNanos();
        });
  }

  private boolean isNothingWaiting() {
    try {
      Reply reply = caller.get("/v1/sinks");
      boolean isEmpty = reply.isGood() && !reply.json().path("items").isEmpty();
      for (JsonNode sink : reply.json().path("items")) {
        isEmpty &= sink.path("waiting").asLong(-1) == 0;
      }
      return isEmpty;
    } catch (IOException none) {
      return false;
    } catch (InterruptedException ended) {
      Thread.currentThread().interrupt();
      return false;
    }
  }

  /** Checks that every partner received all events, in order. */
  private void webhooks(int since) throws InterruptedException {
    List<Order> orders = journal.orders();
    List<Order> fresh = orders.subList(Math.min(since, orders.size()), orders.size());
    for (Order.Shop shop : Order.Shop.values()) {
      WebhookBook book = world.partner(shop).book();
      List<Order> own = fresh.stream().filter(order -> order.shop() == shop).toList();
      Settling.await(CATCH_UP, () -> own.stream().allMatch(order -> isTold(book, order)));
      List<Order> untold = own.stream().filter(order -> !isTold(book, order)).toList();
      if (!untold.isEmpty()) {
        findings.add(
            "%s was not told all of %d deliveries, as %s of %s"
                .formatted(
                    shop.id(),
                    untold.size(),
                    book.taken(untold.getFirst().id()),
                    untold.getFirst()));
      }
      for (PartnerCount wrong :
          List.of(PartnerCount.DISORDERED, PartnerCount.GAPS, PartnerCount.UNREADABLE)) {
        if (book.count(wrong) > 0) {
          findings.add(shop.id() + " was told " + wrong + " " + book.count(wrong) + " times");
        }
      }
    }
  }

  private static boolean isTold(WebhookBook book, Order order) {
    return order.version() == 0 || book.taken(order.id()) >= order.version();
  }

  private void deliveries(int since) throws IOException, InterruptedException {
    List<Order> orders = journal.orders();
    for (Order order : orders.subList(Math.min(since, orders.size()), orders.size())) {
      if (order.version() > 0) {
        JsonNode delivery = caller.get("/v1/deliveries/" + order.id()).json();
        JsonNode events = caller.get("/v1/deliveries/" + order.id() + "/events").json();
        HistoryCheck.check(order, delivery, events, findings);
      }
    }
  }

  /** Checks the statements. Completed deliveries enter them a moment later. */
  private void statements() throws IOException, InterruptedException {
    for (Map.Entry<String, Entries.Sum> one : journal.entries().sums(journal.orders()).entrySet()) {
      String path = StatementUrls.path(one.getKey(), journal.startMillis());
      Reply[] last = {Reply.NONE};
      boolean isRight =
          Settling.await(
              Duration.ofSeconds(10),
              () -> {
                last[0] = asked(path);
                return StatementUrls.sum(last[0].json()).equals(one.getValue());
              });
      if (!isRight) {
        findings.add(
            "the statement of %s should be %s and is %s"
                .formatted(one.getKey(), one.getValue(), last[0]));
        return;
      }
    }
  }

  private Reply asked(String path) {
    try {
      return caller.get(path);
    } catch (IOException none) {
      return new Reply(0, none.toString());
    } catch (InterruptedException ended) {
      Thread.currentThread().interrupt();
      return Reply.NONE;
    }
  }

  private void puts() throws IOException, InterruptedException {
    for (Map.Entry<String, Puts.Value> one : journal.puts().all().entrySet()) {
      String place = one.getKey();
      int found;
      if (PutsLane.isProgress(place)) {
        String[] words = place.split("/");
        JsonNode all = caller.get("/v1/riders/" + words[3] + "/missions").json();
        found = all.path("progress").path(words[5]).path("count").asInt(0);
      } else {
        found = caller.get(place).json().path("number").asInt(0);
      }
      if (!one.getValue().allows(found)) {
        findings.add("at " + place + " is " + found + " and was answered " + one.getValue());
      }
    }
  }

  private void keys() throws IOException, InterruptedException {
    for (MadeKeys.Made key : journal.keys().good()) {
      Reply reply = used(key);
      if (!reply.isGood()) {
        findings.add("a key that was made is not good: " + reply);
      }
    }
    for (MadeKeys.Made key : journal.keys().revoked()) {
      Reply reply = used(key);
      if (reply.status() != 401) {
        findings.add("a key that was revoked is answered " + reply);
      }
    }
  }

  private Reply used(MadeKeys.Made key) throws IOException, InterruptedException {
    return caller.send("GET", "/v1/deliveries?limit=1", "", "X-Api-Key", key.key());
  }

  /**
   * Checks that a rider's latest position is the latest one that was acknowledged.
   *
   * @param from riders whose latest position is before this sequence may be unknown
   */
  private void positions(long from) throws IOException, InterruptedException {
    Map<String, Entry> latest = new HashMap<>();
    for (Entry entry : journal.book().entries()) {
      if (entry.acknowledged() && entry.stream().equals("traces")) {
        latest.merge(
            entry.riderId(), entry, (one, two) -> one.atMillis() > two.atMillis() ? one : two);
      }
    }
    for (Map.Entry<String, Entry> one : latest.entrySet()) {
      if (one.getValue().sequence() < from) {
        continue;
      }
      Reply reply = caller.get("/v1/riders/" + one.getKey() + "/position");
      String at = reply.json().path("at").asString("");
      if (at.isEmpty() || Instant.parse(at).toEpochMilli() != one.getValue().atMillis()) {
        findings.add(
            "the latest position of %s is of %s: %s"
                .formatted(one.getKey(), Instant.ofEpochMilli(one.getValue().atMillis()), reply));
        return;
      }
    }
  }

  /** Reads the log, and what was deleted from it: every acknowledged record must be there once. */
  private LogLines lines() throws IOException, InterruptedException {
    String node = journal.book().node();
    Kept firehose = world.firehose().kept();
    LogLines lines = new LogLines(journal, sequence -> firehose.has(node, sequence));
    cat(lines);
    for (int look = 1; look < LOOKS_MAX && hasMoved(lines); look++) {
      isStill(CATCH_UP);
      lines = new LogLines(journal, sequence -> firehose.has(node, sequence));
      cat(lines);
    }
    lines.end();
    return lines;
  }

  /**
   * Whether the log has grown while it was read, so that it must be read again. A difference that
   * is an error persists.
   */
  private boolean hasMoved(LogLines lines) throws IOException, InterruptedException {
    JsonNode ledger = caller.get("/v1/ledger").json();
    boolean isStill = true;
    for (JsonNode stream : ledger.path("streams")) {
      Set<String> found =
          lines.recordIds().getOrDefault(stream.path("stream").asString(""), Set.of());
      isStill &= stream.path("accepted").asLong(-1) == found.size();
    }
    for (JsonNode row : ledger.path("items")) {
      isStill &= row.path("waiting").asLong(-1) == 0;
    }
    return !isStill;
  }

  private void log(LogLines lines) throws IOException, InterruptedException {
    Map<String, Set<String>> arrived =
        Map.of(
            "firehose", world.firehose().kept().timesById().keySet(),
            "files", Shipped.recordIds(shipped()));
    LedgerCheck.check(
        caller.get("/v1/ledger").json(),
        lines.recordIds(),
        arrived,
        lines.poison(),
        toll,
        findings);
    Shell.Outcome verified = Shell.run(world.node().command("log", "verify"));
    if (verified.status() != 0) {
      findings.add("log verify ends with " + verified);
    }
  }

  private Path shipped() {
    return world.node().data().resolve("shipped");
  }

  private void cat(LogLines lines) throws IOException, InterruptedException {
    Process process =
        new ProcessBuilder(world.node().command("log", "cat"))
            .redirectError(ProcessBuilder.Redirect.DISCARD)
            .start();
    try (BufferedReader reader = process.inputReader()) {
      String line = reader.readLine();
      if (line != null) {
        Shipped.before(shipped(), Shipped.sequence(line)).values().forEach(lines::letGo);
      }
      for (; line != null; line = reader.readLine()) {
        lines.line(line);
      }
      if (!process.waitFor(CAT_WAIT.toSeconds(), TimeUnit.SECONDS) || process.exitValue() != 0) {
        findings.add("log cat did not end well");
      }
    } finally {
      process.destroyForcibly();
    }
  }
}
