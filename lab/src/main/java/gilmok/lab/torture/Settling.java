package gilmok.lab.torture;

import gilmok.lab.crash.Entry;
import gilmok.lab.crash.Letter;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.function.BooleanSupplier;

/**
 * Completes all work when the load has ended: every request without a response is repeated until it
 * has one, and every delivery is taken to its end. Blocks.
 */
record Settling(Caller caller, Journal journal) {
  private static final Duration ATTEMPT_MAX = Duration.ofSeconds(30);
  private static final int LETTER_MAX = 200;
  private static final int MOVES_MAX = 50;
  private static final int FINDINGS_MAX = 5;

  /** Runs all of it. A request that stays without a response is a finding. */
  void run() throws InterruptedException {
    for (String stream : List.of("traces", "actions")) {
      List<Entry> missing = journal.book().unacknowledged(stream);
      for (int i = 0; i < missing.size(); i += LETTER_MAX) {
        Letter letter = Letter.again(missing.subList(i, Math.min(missing.size(), i + LETTER_MAX)));
        until("records sent again", () -> PositionsLane.send(caller, journal, letter));
      }
    }
    for (List<Entries.Item> items : journal.entries().takeUnanswered()) {
      until("entries posted again", () -> again(items));
    }
    for (var place : journal.puts().all().entrySet()) {
      if (!place.getValue().unsure().isEmpty()) {
        until("a put", () -> PutsLane.put(caller, journal, place.getKey()));
      }
    }
    Mover mover = new Mover(caller, journal);
    long before = journal.findings().count();
    for (Order order : journal.orders()) {
      if (journal.findings().count() > before + FINDINGS_MAX) {
        return;
      }
      until("delivery " + order, () -> end(mover, order));
    }
  }

  private boolean again(List<Entries.Item> items) throws IOException, InterruptedException {
    boolean isTaken = EntriesLane.post(caller, journal, items);
    if (!isTaken) {
      // The failed post has marked these entries to be posted again, but the caller repeats them
      // itself.
      journal.entries().takeUnanswered();
    }
    return isTaken;
  }

  /** Takes a few more steps of an order; returns whether it has ended. */
  private static boolean end(Mover mover, Order order) throws IOException, InterruptedException {
    for (int i = 0; i < MOVES_MAX && !order.isEnded(); i++) {
      if (!mover.move(order)) {
        return false;
      }
      if (order.isActionTaken()) {
        Thread.sleep(10);
      }
    }
    return order.isEnded();
  }

  private void until(String what, Attempt attempt) throws InterruptedException {
    String last = "refused";
    long deadline = System.nanoTime() + ATTEMPT_MAX.toNanos();
    while (System.nanoTime() < deadline) {
      try {
        if (attempt.isDone()) {
          return;
        }
      } catch (IOException none) {
        last = none.toString();
      }
      Thread.sleep(50);
    }
    journal.findings().add(what + ": not done in " + ATTEMPT_MAX + ": " + last);
  }

  /** An attempt that is repeated until it succeeds. */
  @FunctionalInterface
  private interface Attempt {
    boolean isDone() throws IOException, InterruptedException;
  }

  /** Waits for a condition; returns whether it became true in time. */
  static boolean await(Duration atMost, BooleanSupplier condition) throws InterruptedException {
    long deadline = System.nanoTime() + atMost.toNanos();
    while (!condition.getAsBoolean()) {
      if (System.nanoTime() > deadline) {
        return false;
      }
      Thread.sleep(100);
    }
    return true;
  }
}
