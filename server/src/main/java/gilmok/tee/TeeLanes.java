package gilmok.tee;

import gilmok.http.OtherAnswer;
import gilmok.http.OtherServer;
import gilmok.http.SentRequest;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;

/**
 * Requests on their way to the other server: in lanes, each of which sends one after the other, so
 * that what one sender has sent stays in order. Bounded in bytes over all lanes. Thread-safe;
 * nothing blocks.
 */
final class TeeLanes {
  /** How many lanes there are; each has a connection while it sends. */
  static final int COUNT = 256;

  private record Waiting(SentRequest sent, Consumer<OtherAnswer> told) {}

  private final OtherServer server;
  private final long bytesMax;
  private final AtomicLong bytes = new AtomicLong();
  private final List<Lane> lanes = new ArrayList<>();

  TeeLanes(OtherServer server, long bytesMax) {
    this.server = server;
    this.bytesMax = bytesMax;
    for (int i = 0; i < COUNT; i++) {
      lanes.add(new Lane());
    }
  }

  /**
   * Sends a request when those before it in its lane are answered; false when too much waits.
   *
   * @param sender a number that is the same for all requests of one sender
   * @param told gets the other server's answer, or why there is none
   */
  boolean offer(int sender, SentRequest sent, Consumer<OtherAnswer> told) {
    if (bytes.addAndGet(sent.bytes()) > bytesMax) {
      bytes.addAndGet(-sent.bytes());
      return false;
    }
    lanes.get(Math.floorMod(sender, COUNT)).add(new Waiting(sent, told));
    return true;
  }

  /** How many bytes of requests wait, or are being sent. */
  long bytes() {
    return bytes.get();
  }

  private final class Lane {
    private final ArrayDeque<Waiting> queue = new ArrayDeque<>();
    private boolean isSending;

    void add(Waiting waiting) {
      synchronized (this) {
        queue.add(waiting);
        if (isSending) {
          return;
        }
        isSending = true;
      }
      sendNext();
    }

    private void sendNext() {
      Waiting next;
      synchronized (this) {
        next = queue.poll();
        isSending = next != null;
      }
      if (next != null) {
        Waiting waiting = next;
        server.send(waiting.sent, answer -> answered(waiting, answer));
      }
    }

    private void answered(Waiting waiting, OtherAnswer answer) {
      bytes.addAndGet(-waiting.sent.bytes());
      try {
        waiting.told.accept(answer);
      } finally {
        sendNext();
      }
    }
  }
}
