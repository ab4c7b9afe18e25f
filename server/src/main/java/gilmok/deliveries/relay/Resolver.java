package gilmok.deliveries.relay;

import java.lang.System.Logger.Level;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

/**
 * Turns names into addresses, each name once at a time and a bounded number of names at once, on
 * threads of its own: a lookup cannot be given up, and one that hangs holds its thread. However one
 * ends, the next that asks begins another. Answers are kept as long as the JDK keeps them.
 * Thread-safe.
 */
final class Resolver implements HostNames {
  private static final System.Logger LOG = System.getLogger("gilmok.relay");
  private static final int AT_WORK_MAX = 32;

  /** Who knows addresses. */
  interface Lookup {
    InetAddress[] of(String host) throws UnknownHostException;
  }

  private final Map<String, CompletableFuture<List<InetAddress>>> atWork =
      new ConcurrentHashMap<>();
  private final Lookup lookup;
  private final ThreadPoolExecutor threads;

  /** That of the machine. */
  Resolver() {
    this(
        InetAddress::getAllByName,
        Thread.ofPlatform().daemon().name("gilmok-relay-names-", 0).factory());
  }

  Resolver(Lookup lookup, ThreadFactory factory) {
    this.lookup = lookup;
    threads =
        new ThreadPoolExecutor(
            0, AT_WORK_MAX, 10, TimeUnit.SECONDS, new SynchronousQueue<>(), factory);
  }

  /** Whether a host is an address rather than a name. */
  static boolean isLiteral(String host) {
    return host.indexOf(':') >= 0 || host.chars().allMatch(c -> c == '.' || (c >= '0' && c <= '9'));
  }

  /** The address that a literal is; none when it is none after all. */
  static List<InetAddress> literal(String host) {
    try {
      return List.of(InetAddress.ofLiteral(host));
    } catch (IllegalArgumentException _) {
      return List.of();
    }
  }

  /** None also when too many are being resolved. */
  @Override
  public List<InetAddress> addresses(String host, long millisMax) throws InterruptedException {
    if (isLiteral(host)) {
      return literal(host);
    }
    CompletableFuture<List<InetAddress>> begun = new CompletableFuture<>();
    CompletableFuture<List<InetAddress>> before = atWork.putIfAbsent(host, begun);
    if (before == null) {
      begin(host, begun);
    }
    CompletableFuture<List<InetAddress>> answer =
        (before == null ? begun : before)
            .copy()
            .completeOnTimeout(List.of(), millisMax, TimeUnit.MILLISECONDS);
    try {
      return answer.get();
    } catch (ExecutionException impossible) {
      throw new IllegalStateException(impossible);
    }
  }

  private void begin(String host, CompletableFuture<List<InetAddress>> answer) {
    try {
      threads.execute(() -> lookUp(host, answer));
    } catch (Throwable noThread) { // too many are at work, or the machine has none to give
      end(host, answer, List.of());
    }
  }

  private void end(
      String host, CompletableFuture<List<InetAddress>> answer, List<InetAddress> found) {
    atWork.remove(host, answer);
    answer.complete(found);
  }

  private void lookUp(String host, CompletableFuture<List<InetAddress>> answer) {
    List<InetAddress> found = List.of();
    try {
      found = List.of(lookup.of(host));
    } catch (UnknownHostException unknown) {
      // It has none, and that is an answer.
    } catch (Throwable bug) {
      LOG.log(Level.ERROR, "a bug in resolving the name " + host + "; the webhook is retried", bug);
    } finally {
      end(host, answer, found);
    }
  }

  @Override
  public void close() {
    threads.shutdownNow();
  }
}
