package gilmok.tee;

import gilmok.http.OtherAnswer;
import gilmok.http.OtherServer;
import gilmok.http.SentRequest;
import java.util.ArrayDeque;
import java.util.HashMap;
import java.util.Map;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Copies on their way to the other server, whose senders do not wait for them. Each connection of a
 * client has a lane, which sends one after the other, so that what it brought stays in order; lanes
 * do not wait for one another. A lane is there only while something is in it, so that the bound of
 * {@link TeeRoom} is one of the lanes, too. Thread-safe; nothing blocks for long.
 */
final class TeeLanes {
  private final OtherServer server;
  private final TeeRoom room;
  private final int sendingMax;
  private final Map<Object, Lane> lanes = new HashMap<>();

  /** Lanes whose first request can be sent, when there is a place. */
  private final ArrayDeque<Lane> ready = new ArrayDeque<>();

  private int sending;
  private boolean isStopped;

  /** What one connection brought; the first may be being sent. */
  private static final class Lane {
    private final Object connection;
    private final ArrayDeque<Waiting> waiting = new ArrayDeque<>(1);

    Lane(Object connection) {
      this.connection = connection;
    }
  }

  private record Waiting(Lane lane, SentRequest sent, Consumer<OtherAnswer> told) {}

  TeeLanes(OtherServer server, TeeRoom room, int sendingMax) {
    this.server = server;
    this.room = room;
    this.sendingMax = sendingMax;
  }

  /**
   * Sends a request when those before it of its connection are answered; false when too much waits.
   *
   * @param told gets the other server's answer, or why there is none
   */
  boolean offer(SentRequest sent, Consumer<OtherAnswer> told) {
    if (!room.enter(sent)) {
      return false;
    }
    put(sent, told);
    sendReady();
    return true;
  }

  private synchronized void put(SentRequest sent, Consumer<OtherAnswer> told) {
    Lane lane = lanes.computeIfAbsent(sent.connection(), Lane::new);
    lane.waiting.add(new Waiting(lane, sent, told));
    if (lane.waiting.size() == 1) {
      ready.add(lane);
    }
  }

  private void sendReady() {
    for (Waiting next = next(); next != null; next = next()) {
      Waiting first = next;
      Runnable _ = server.send(first.sent, answer -> answered(first, answer));
    }
  }

  private synchronized @Nullable Waiting next() {
    if (isStopped || sending == sendingMax) {
      return null;
    }
    Lane lane = ready.poll();
    if (lane == null) {
      return null;
    }
    sending++;
    return lane.waiting.peek();
  }

  private void answered(Waiting first, OtherAnswer answer) {
    room.leave(first.sent);
    leave(first.lane);
    try {
      first.told.accept(answer);
    } finally {
      sendReady();
    }
  }

  private synchronized void leave(Lane lane) {
    sending--;
    Waiting _ = lane.waiting.poll();
    if (lane.waiting.isEmpty()) {
      Lane _ = lanes.remove(lane.connection);
    } else {
      ready.add(lane); // behind the others
    }
  }

  /** Sends no more. */
  synchronized void stop() {
    isStopped = true;
  }
}
