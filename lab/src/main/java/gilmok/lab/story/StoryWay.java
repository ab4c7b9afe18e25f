package gilmok.lab.story;

import io.vertx.core.Vertx;
import java.io.IOException;
import java.util.Locale;
import java.util.concurrent.Executors;

/** How a server of a story does what is asked of it. */
enum StoryWay {
  /** A search of two seconds on the threads that answer phones. */
  COMPUTE_ON_LOOP((_, _) -> SearchServer.onTheLoop()),
  /** The same on one thread of low priority. */
  COMPUTE_APART((_, _) -> SearchServer.apart()),
  /** Each request waits 50 ms for something on one of ten threads. */
  POOL_10((_, _) -> new WaitingServer(Executors.newFixedThreadPool(10))),
  /** The same on one of thirty. */
  POOL_30((_, _) -> new WaitingServer(Executors.newFixedThreadPool(30))),
  /** The same on a virtual thread of its own. */
  POOL_VIRTUAL((_, _) -> new WaitingServer(Executors.newVirtualThreadPerTaskExecutor())),
  /** A heap of 64 MiB, of which 25 MB are in use. */
  HEAP_SMALL("64m", (_, _) -> new HeapServer()),
  /** Three times that heap. */
  HEAP_LARGE("192m", (_, _) -> new HeapServer()),
  /** Each refusal is three exceptions with their stacks, logged one after the other. */
  REFUSE_THROWING((_, _) -> RefusingServer.toAFile()),
  /** Each refusal is a value. */
  REFUSE_BY_VALUE((_, _) -> StoryServer::refuse),
  /** Each request is logged in three lines, by a logger that writes at once. */
  LOG_EACH((_, _) -> new LoggingServer(LoggingServer.logger())),
  /** No request is logged. */
  LOG_NONE((_, _) -> StoryServer::ok),
  /** A neighbour that takes 400 ms is asked while the caller waits. */
  SLOW_IN_REQUEST((vertx, port) -> NeighbourServer.slow(vertx, port, true)),
  /** A neighbour that is down is asked three times while the caller waits. */
  DOWN_IN_REQUEST((_, port) -> NeighbourServer.down(port, true)),
  /** The caller is answered, and the slow neighbour is told afterwards. */
  SLOW_BY_OUTBOX((vertx, port) -> NeighbourServer.slow(vertx, port, false)),
  /** The caller is answered, and the neighbour that is down is told when it is back. */
  DOWN_BY_OUTBOX((_, port) -> NeighbourServer.down(port, false));

  private final String heap;
  private final StoryServer.Maker maker;

  StoryWay(StoryServer.Maker maker) {
    this("256m", maker);
  }

  StoryWay(String heap, StoryServer.Maker maker) {
    this.heap = heap;
    this.maker = maker;
  }

  /** Its name on the command line. */
  String label() {
    return name().toLowerCase(Locale.ROOT).replace('_', '-');
  }

  /** The heap of its server, in Java's notation. */
  String heap() {
    return heap;
  }

  /**
   * Makes its server.
   *
   * @param neighbourPort the port of loopback for a neighbour, if it has one
   */
  StoryServer make(Vertx vertx, int neighbourPort) throws IOException {
    return maker.make(vertx, neighbourPort);
  }
}
