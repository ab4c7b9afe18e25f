package gilmok.lab.story;

import io.vertx.core.Vertx;
import java.io.IOException;
import java.util.Locale;
import java.util.concurrent.Executors;

/** How a server of a story does what is asked of it. */
enum StoryWay {
  /** A search of two seconds on the threads that answer phones. */
  COMPUTE_ON_LOOP,
  /** The same on one thread of low priority. */
  COMPUTE_APART,
  /** Each request waits 50 ms for something on one of ten threads. */
  POOL_10,
  /** The same on one of thirty. */
  POOL_30,
  /** The same on a virtual thread of its own. */
  POOL_VIRTUAL,
  /** A heap of 64 MiB, of which 25 MB are in use. */
  HEAP_SMALL("64m"),
  /** Three times that heap. */
  HEAP_LARGE("192m"),
  /** Each refusal is three exceptions with their stacks, logged one after the other. */
  REFUSE_THROWING,
  /** Each refusal is a value. */
  REFUSE_BY_VALUE,
  /** Each request is logged in three lines, by a logger that writes at once. */
  LOG_EACH,
  /** No request is logged. */
  LOG_NONE,
  /** A neighbour that takes 400 ms is asked while the caller waits. */
  SLOW_IN_REQUEST,
  /** A neighbour that is down is asked three times while the caller waits. */
  DOWN_IN_REQUEST,
  /** The caller is answered, and the slow neighbour is told afterwards. */
  SLOW_BY_OUTBOX,
  /** The caller is answered, and the neighbour that is down is told when it is back. */
  DOWN_BY_OUTBOX;

  private final String heap;

  StoryWay() {
    this("256m");
  }

  StoryWay(String heap) {
    this.heap = heap;
  }

  /** Its name in reports. */
  String label() {
    return name().toLowerCase(Locale.ROOT).replace('_', '-');
  }

  /** The heap of its server, in Java's notation. */
  String heap() {
    return heap;
  }

  /**
   * Makes its server, and what it needs beside.
   *
   * @param neighbourPort the port of loopback for a neighbour, if it has one
   */
  StoryServer make(Vertx vertx, int neighbourPort) throws IOException {
    return switch (this) {
      case COMPUTE_ON_LOOP -> SearchServer.onTheLoop();
      case COMPUTE_APART -> SearchServer.apart();
      case POOL_10 -> new WaitingServer(Executors.newFixedThreadPool(10));
      case POOL_30 -> new WaitingServer(Executors.newFixedThreadPool(30));
      case POOL_VIRTUAL -> new WaitingServer(Executors.newVirtualThreadPerTaskExecutor());
      case HEAP_SMALL -> new HeapServer();
      case HEAP_LARGE -> new HeapServer();
      case REFUSE_THROWING -> RefusingServer.toAFile();
      case REFUSE_BY_VALUE -> StoryServer::refuse;
      case LOG_EACH -> new LoggingServer(LoggingServer.logger());
      case LOG_NONE -> StoryServer::ok;
      case SLOW_IN_REQUEST -> NeighbourServer.slow(vertx, neighbourPort, true);
      case DOWN_IN_REQUEST -> NeighbourServer.down(neighbourPort, true);
      case SLOW_BY_OUTBOX -> NeighbourServer.slow(vertx, neighbourPort, false);
      case DOWN_BY_OUTBOX -> NeighbourServer.down(neighbourPort, false);
    };
  }
}
