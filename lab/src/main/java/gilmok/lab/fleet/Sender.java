package gilmok.lab.fleet;

import io.netty.bootstrap.Bootstrap;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.function.Function;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * Sends the fixes of a fleet's phones over a few connections. The phones take turns, each with at
 * most one request in flight, so that its fixes arrive in order. Fixes whose request is not
 * answered 2xx stay on the phone and are sent again with growing pauses. Owned by one event loop.
 */
final class Sender implements Line.Owner {
  private static final long ANSWER_MILLIS_MAX = 30_000;
  private static final long RECONNECT_MILLIS = 500;
  private static final long BACKOFF_MILLIS_FIRST = 1_000;
  private static final long BACKOFF_MILLIS_MAX = 60_000;

  private final Fleet fleet;
  private final FleetTarget target;
  private final Function<Line, Bootstrap> bootstrap;
  private final FixCounts account;
  private final Outbox[] outboxes;
  private final List<Line> lines = new ArrayList<>();
  private final ArrayDeque<Line> idle = new ArrayDeque<>();
  private final Map<Line, Outbox> underWay = new HashMap<>();

  /** Contains each phone at most once, so it is never longer than the fleet. */
  private final ArrayDeque<Outbox> turns = new ArrayDeque<>();

  private final RandomGenerator random;
  private long nowMillis;
  private long reconnectMillis;
  private volatile @Nullable String objection;

  /** The sending state of one phone. */
  private static final class Outbox {
    private final Phone phone;
    private final AppDialect dialect;
    private List<Fix> sending = List.of();
    private boolean takesTurn;
    private int failures;
    private long notBeforeMillis;

    Outbox(Phone phone, AppDialect dialect) {
      this.phone = phone;
      this.dialect = dialect;
    }
  }

  /**
   * A sender.
   *
   * @param dialects the apps, assigned to the phones in turn
   * @param bootstrap makes connections on this sender's event loop
   */
  Sender(
      Fleet fleet,
      FleetTarget target,
      List<AppDialect> dialects,
      int connections,
      Function<Line, Bootstrap> bootstrap,
      FixCounts account,
      long seed) {
    this.fleet = fleet;
    this.target = target;
    this.bootstrap = bootstrap;
    this.account = account;
    this.random = new SplittableRandom(seed);
    outboxes = new Outbox[fleet.phones().size()];
    for (Phone phone : fleet.phones()) {
      AppDialect dialect = dialects.get(phone.number() % dialects.size());
      outboxes[phone.number()] = new Outbox(phone, dialect);
    }
    for (int i = 0; i < connections; i++) {
      lines.add(new Line(this, target));
    }
  }

  /** Simulates the fleet up to a time and sends the new fixes. */
  void tick(long worldMillis) {
    nowMillis = worldMillis;
    fleet.advance(worldMillis, this::wantsToSend);
    for (Line line : lines) {
      if (line.isUnused() && nowMillis >= reconnectMillis) {
        line.connect(bootstrap.apply(line), target);
      } else if (line.isSilentSince(nowMillis - ANSWER_MILLIS_MAX)) {
        line.close();
      }
    }
    send();
  }

  /** The reason why the server accepts nothing from these phones; null if it does. */
  @Nullable String objection() {
    return objection;
  }

  void close() {
    lines.forEach(Line::close);
  }

  private void wantsToSend(Phone phone) {
    Outbox outbox = outboxes[phone.number()];
    if (!outbox.takesTurn && nowMillis >= outbox.notBeforeMillis && phone.keptCount() > 0) {
      outbox.takesTurn = true;
      turns.add(outbox);
    }
  }

  private void send() {
    while (!idle.isEmpty() && !turns.isEmpty()) {
      Line line = idle.remove();
      if (!line.isOpen()) {
        continue;
      }
      Outbox outbox = turns.remove();
      outbox.sending = outbox.phone.oldest(outbox.dialect.fixesMax());
      underWay.put(line, outbox);
      account.requests.increment();
      line.ask(outbox.dialect.message(outbox.phone, outbox.sending, target.key()), nowMillis);
    }
  }

  @Override
  public void open(Line line) {
    idle.add(line);
    send();
  }

  @Override
  public void answered(Line line, int status, String body, int retryAfterSeconds) {
    if (line.isOpen()) {
      idle.add(line);
    }
    Outbox outbox = underWay.remove(line);
    if (outbox != null) {
      outbox.takesTurn = false;
      if (status / 100 == 2) {
        taken(outbox, body);
      } else if (status == 429 || status / 100 == 5) {
        later(outbox, retryAfterSeconds * 1_000L);
      } else if (status == 401 || status == 403) {
        objection = "the server does not take the key (" + status + "): " + body;
        later(outbox, BACKOFF_MILLIS_MAX);
      } else {
        objection = "the server answered " + status + ": " + body;
        account.refused.add(outbox.sending.size());
        settle(outbox);
      }
    }
    send();
  }

  private void taken(Outbox outbox, String body) {
    outbox.failures = 0;
    if (outbox.phone.losesAnswer()) {
      later(outbox, 0);
      return;
    }
    int count = outbox.sending.size();
    int duplicates = Math.max(0, number(body, "\"duplicates\":"));
    int accepted = number(body, "\"accepted\":");
    account.duplicates.add(duplicates);
    account.accepted.add(accepted < 0 ? count : accepted);
    account.refused.add(accepted < 0 ? 0 : Math.max(0, count - accepted - duplicates));
    account.late.add(outbox.sending.stream().filter(Fix::late).count());
    settle(outbox);
    if (outbox.phone.isReachable()) {
      wantsToSend(outbox.phone);
    }
  }

  private static void settle(Outbox outbox) {
    outbox.phone.settled(outbox.sending);
    outbox.sending = List.of();
  }

  /**
   * Delays a phone's next request: as long as the server asks for, else twice as long each time.
   */
  private void later(Outbox outbox, long millisMin) {
    account.retries.increment();
    long backoff =
        Math.min(BACKOFF_MILLIS_MAX, BACKOFF_MILLIS_FIRST << Math.min(outbox.failures, 10));
    outbox.failures++;
    outbox.sending = List.of();
    outbox.notBeforeMillis =
        nowMillis + Math.max(millisMin, backoff / 2 + random.nextLong(backoff));
  }

  @Override
  public void lost(Line line, boolean wasAsked) {
    idle.remove(line);
    reconnectMillis = nowMillis + RECONNECT_MILLIS;
    Outbox outbox = underWay.remove(line);
    if (wasAsked && outbox != null) {
      outbox.takesTurn = false;
      later(outbox, 0);
    }
  }

  private static int number(String body, String mark) {
    int at = body.indexOf(mark);
    if (at < 0) {
      return -1;
    }
    int value = 0;
    for (int i = at + mark.length(); i < body.length() && Character.isDigit(body.charAt(i)); i++) {
      value = 10 * value + body.charAt(i) - '0';
    }
    return value;
  }
}
