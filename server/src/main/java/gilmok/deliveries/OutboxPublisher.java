package gilmok.deliveries;

import gilmok.background.BackgroundLoop;
import gilmok.background.WakeSignal;
import gilmok.deliveries.Outbox.Due;
import gilmok.deliveries.Outbox.Told;
import gilmok.event.EventKind;
import gilmok.event.JsonBuffer;
import gilmok.event.JsonRecord;
import gilmok.log.AppendBatch;
import gilmok.log.AppendResult;
import gilmok.log.AwaitedAppend;
import gilmok.log.Stream;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;

/**
 * The outbox publisher: moves events from the outbox into the log's stream {@code deliveries}, one
 * record for each, in the order of each delivery's events, at least once. A record published twice
 * on this node is deduplicated by the log. An event is noted as published when its record is
 * durable, and its delivery has not changed again meanwhile.
 *
 * <p>A delivery that this node changes is published as it came back from the change ({@link
 * ChangedDeliveries}); the outbox is polled only for those of other nodes, and for what was missed.
 *
 * <p>A pass that published nothing waits until the next sweep, or until {@link #changed}. If every
 * change of the outbox fires a signal, and nothing is pending, it sleeps until that fires.
 *
 * <p>Runs on a background loop of its own; {@link #changed} is safe from any thread.
 */
final class OutboxPublisher implements BackgroundLoop.Work {
  /** The pause between rounds, in which changes gather. */
  private static final long GATHER_NANOS = 50_000_000L;

  /**
   * How often all shards are polled while anything is pending, or if other nodes may change them.
   */
  private static final long SWEEP_NANOS = 2_000_000_000L;

  private static final long DURABLE_SECONDS_MAX = 30;
  private static final int DUE_MAX = 500;
  private static final int NO_ROOM = -1;
  private static final int BYTES_MAX = 1 << 18;

  /** The most bytes that the log adds before a record. */
  private static final int FRAME_BYTES = 16;

  private final Outbox outbox;
  private final DeliveryMeters meters;
  private final DeliveriesContext context;
  private final long bytesMax;
  private final ChangedDeliveries changed = new ChangedDeliveries();

  /** The shards to poll. */
  private final AtomicLong changedShards = new AtomicLong(-1L);

  private final AppendBatch batch = new AppendBatch();
  private final JsonBuffer json = new JsonBuffer();
  private final long[] key = new long[2];
  private final List<DeliveryEvent> unpublished = new ArrayList<>();
  private final List<byte[]> records = new ArrayList<>();
  private final List<Told> published = new ArrayList<>();
  private final List<Long> happened = new ArrayList<>();

  /** When it is stopped, it publishes once more what is due. */
  final BackgroundLoop loop;

  /** Fired by {@link #changed}. */
  private final WakeSignal hint;

  final OutboxWatch watch;

  private long draftBytes;

  /** Whether what is being published came from {@link #changed}, and not from a poll. */
  private boolean inHand;

  private long lookedMillis = Long.MAX_VALUE;
  private long sweptNanos = System.nanoTime();

  /** The shards that were ours in the last pass. */
  private Shards held = new Shards(0);

  OutboxPublisher(Outbox outbox, DeliveryMeters meters, DeliveriesContext context) {
    this.context = context;
    this.outbox = outbox;
    this.meters = meters;
    bytesMax = Math.min(BYTES_MAX, context.log().queueBytesMax() / 2);
    loop =
        context
            .loops()
            .optional("outbox", "events of deliveries are not published to the log", this);
    hint = new WakeSignal(loop::wake);
    watch = new OutboxWatch(outbox, List.of(OutboxReader.LOG), loop::wake);
  }

  /** Hints that a delivery has changed, durably; it is published in the next round. */
  void changed(Delivery delivery) {
    if (!changed.add(delivery)) {
      mark(delivery);
    }
    hint.fire();
  }

  /** Has the delivery's shard polled in the next round. */
  private void mark(Delivery delivery) {
    long shard = 1L << DeliveryId.shard(delivery.id());
    if ((changedShards.get() & shard) == 0) {
      changedShards.getAndUpdate(shards -> shards | shard);
    }
  }

  private boolean isAnyChanged() {
    return changedShards.get() != 0 || changed.size() > 0;
  }

  @Override
  public long pass() throws IOException, InterruptedException {
    bringForward();
    if (watch.isQuiet() && !isAnyChanged()) {
      return Long.MAX_VALUE;
    }
    Shards ours = ours(-1L);
    if (!ours.equals(held)) {
      changed.forget();
      held = ours;
    }
    boolean isSweep = System.nanoTime() - sweptNanos >= SWEEP_NANOS;
    if (isSweep) {
      changedShards.set(-1L);
      sweptNanos = System.nanoTime();
      watch.beginSweep();
    }
    hint.arm();
    if (tellChanged() > 0 || isAnyChanged()) {
      watch.found(true);
      hint.disarm();
      return GATHER_NANOS;
    }
    if (isSweep && watch.endSweep()) {
      return Long.MAX_VALUE;
    }
    return Math.max(1, sweptNanos + SWEEP_NANOS - System.nanoTime());
  }

  /**
   * Publishes the deliveries that have changed, and what is due in the shards to poll; returns how
   * many deliveries that were.
   */
  private int tellChanged() throws IOException, InterruptedException {
    int count = NO_ROOM;
    try {
      count = tellInHand();
      int polled = count == NO_ROOM ? NO_ROOM : tellDue();
      count = polled == NO_ROOM ? NO_ROOM : count + polled;
    } catch (IOException failed) {
      meters.failures.increment();
      throw failed;
    }
    if (count == NO_ROOM) {
      throw new IOException("the log has no room");
    }
    return count;
  }

  /** Publishes what is due in the shards to poll, which stay so if that fails. */
  private int tellDue() throws IOException, InterruptedException {
    long shards = changedShards.getAndSet(0);
    int count = NO_ROOM;
    try {
      count = tell(shards);
    } finally {
      if (count == NO_ROOM) {
        changedShards.getAndUpdate(more -> more | shards);
      }
    }
    return count;
  }

  /**
   * Publishes the deliveries that this node has changed; those that it cannot are polled. Returns
   * how many they were, or {@link #NO_ROOM} when the log did not accept all.
   */
  private int tellInHand() throws IOException, InterruptedException {
    clear();
    inHand = true;
    int count = 0;
    for (int left = changed.size(); left > 0; ) {
      List<Due> page = changed.take(Math.min(left, DUE_MAX));
      left = page.isEmpty() ? 0 : left - page.size();
      count += page.size();
      boolean isDone = false;
      try {
        isDone = tellInHand(page);
      } finally {
        if (!isDone) {
          page.forEach(one -> mark(one.delivery()));
        }
      }
      if (!isDone) {
        return NO_ROOM;
      }
    }
    return count;
  }

  private boolean tellInHand(List<Due> page) throws IOException, InterruptedException {
    for (Due one : page) {
      if (!held.has(DeliveryId.shard(one.delivery().id()))) {
        continue; // the node whose shard it is finds it
      }
      if (one.told() == ChangedDeliveries.UNKNOWN || !encodes(one)) {
        mark(one.delivery());
      } else if (!records.isEmpty() && !add(one.delivery())) {
        return false;
      }
    }
    return append();
  }

  /** Encodes a delivery's events; false for one that cannot be encoded. */
  private boolean encodes(Due due) {
    try {
      encode(due);
      return true;
    } catch (RuntimeException | StackOverflowError bug) { // the poll finds it, too, and names it
      return false;
    }
  }

  /**
   * Makes due now what was recorded or put off while the clock was ahead. Done at the start, and
   * when the clock was set back.
   */
  private void bringForward() throws IOException, InterruptedException {
    long now = context.clock().millis();
    if (now < lookedMillis - Outbox.CLOCK_MILLIS) {
      outbox.bringForward(OutboxReader.LOG, ours(-1L), now, Outbox.CLOCK_MILLIS);
      changedShards.set(-1L);
    }
    lookedMillis = now;
  }

  /** Publishes once more what is due. */
  @Override
  public void end() throws IOException, InterruptedException {
    held = ours(-1L);
    int _ = tellInHand();
    int _ = tell(changedShards.getAndSet(0));
  }

  /**
   * Publishes what is due in these shards; returns how many deliveries were, or {@link #NO_ROOM}
   * when the log did not accept all of it.
   */
  private int tell(long shards) throws IOException, InterruptedException {
    clear();
    inHand = false;
    Shards ours = ours(shards);
    boolean isAll = ours.count() == 0;
    int count = 0;
    while (!isAll) {
      List<Due> due = outbox.due(OutboxReader.LOG, ours, context.clock().millis(), DUE_MAX);
      isAll = due.size() < DUE_MAX;
      count += due.size();
      for (Due one : due) {
        if (encodeOrPutOff(one) && !add(one.delivery())) {
          return NO_ROOM;
        }
      }
      // Before the next page: what is not noted would be in it again.
      if (!append()) {
        return NO_ROOM;
      }
    }
    return count;
  }

  private Shards ours(long shards) {
    long ours = 0;
    for (long rest = shards; rest != 0; rest &= rest - 1) {
      ours |= context.isOurs().test(Long.numberOfTrailingZeros(rest)) ? Long.lowestOneBit(rest) : 0;
    }
    return new Shards(ours);
  }

  /**
   * Encodes a delivery's events. One that cannot be encoded is put off, so that it holds up no
   * other; then false.
   */
  private boolean encodeOrPutOff(Due due) throws IOException, InterruptedException {
    try {
      encode(due);
      return true;
    } catch (RuntimeException | StackOverflowError bug) {
      String id = due.delivery().id();
      long again = context.unreadable().found(OutboxReader.LOG, id, bug);
      outbox.failed(
          id, OutboxReader.LOG, due.attempts() + 1, again, UnreadableDeliveries.error(bug), null);
      return false;
    }
  }

  /** Encodes all pending events of a delivery, or throws before any is used. */
  private void encode(Due due) {
    unpublished.clear();
    records.clear();
    Delivery delivery = due.delivery();
    // What was published and is not noted yet need not be published again.
    int told = Math.max(due.told(), changed.told(delivery));
    for (DeliveryEvent event : delivery.events()) {
      if (event.sequence() > told) {
        Delivery then = Lifecycle.at(delivery, event.sequence());
        json.clear();
        DeliveryJson.told(event, then, json);
        byte[] record = JsonRecord.encode(EventKind.DELIVERY, DeliveryJson.recordId(then), json);
        if (record.length + FRAME_BYTES > context.log().queueBytesMax()) {
          throw new IllegalStateException(
              "event " + event.sequence() + " is larger than log.group-bytes-max");
        }
        unpublished.add(event);
        records.add(record);
      }
    }
  }

  /**
   * Adds the encoded events to the batch; appends the batch first when it is full. False when the
   * log did not accept one.
   */
  private boolean add(Delivery delivery) throws IOException, InterruptedException {
    for (int i = 0; i < records.size(); i++) {
      byte[] record = records.get(i);
      if (batch.count() > 0 && draftBytes + record.length + FRAME_BYTES > bytesMax) {
        if (i > 0) {
          published.add(
              new Told(delivery.id(), OutboxReader.LOG, unpublished.get(i - 1).sequence()));
        }
        if (!append()) {
          return false;
        }
      }
      context.keys().key(Stream.DELIVERIES, record, 0, record.length, key);
      batch.add(Stream.DELIVERIES, record, 0, record.length, key[0], key[1]);
      draftBytes += record.length + FRAME_BYTES;
      happened.add(unpublished.get(i).recordedAtMillis());
    }
    published.add(new Told(delivery.id(), OutboxReader.LOG, delivery.version()));
    return true;
  }

  /**
   * Appends the batch to the log, waits until it is durable, and notes its events as published.
   * False when the log did not accept it.
   */
  private boolean append() throws IOException, InterruptedException {
    if (published.isEmpty()) {
      return true;
    }
    if (batch.count() > 0) {
      AwaitedAppend durable = new AwaitedAppend();
      if (context.log().append(batch, durable) != AppendResult.TAKEN
          || !durable.await(DURABLE_SECONDS_MAX, TimeUnit.SECONDS)) {
        return false;
      }
    }
    published.forEach(one -> changed.published(one.deliveryId(), one.through()));
    // Of one in hand that has changed again, the next round notes all.
    outbox.told(
        inHand
            ? published.stream().filter(one -> !changed.has(one.deliveryId())).toList()
            : List.copyOf(published));
    long now = context.clock().millis();
    for (long at : happened) {
      meters.told(now - at);
    }
    clear();
    return true;
  }

  private void clear() {
    batch.clear();
    draftBytes = 0;
    published.clear();
    happened.clear();
  }
}
