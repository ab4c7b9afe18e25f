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
 * Resolves names by blocking lookups on threads of its own, with single flight for each name and a
 * limit on lookups at a time. A lookup cannot be cancelled: one that hangs holds its thread.
 * However a lookup ends, the next call begins a new one. The JDK caches the answers. Thread-safe.
 */
final class Resolver implements HostNames {
  private static final System.Logger LOG = System.getLogger("gilmok.relay");
  private static final int AT_WORK_MAX = 32;

  /** A blocking lookup. */
  interface Lookup {
    InetAddress[] of(String host) throws UnknownHostException;
  }

  private final Map<String, CompletableFuture<List<InetAddress>>> atWork =
      new ConcurrentHashMap<>();
  private final Lookup lookup;
  private final ThreadPoolExecutor threads;

  /** A resolver that uses the machine's lookup. */
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

  /** Whether a host looks like an address rather than a name. */
  static boolean isLiteral(String host) {
    return host.indexOf(':') >= 0 || host.chars().allMatch(c -> c == '.' || (c >= '0' && c <= '9'));
  }

  /** The address that a literal denotes; empty when the literal is malformed. */
  static List<InetAddress> literal(String host) {
    try {
      return List.of(InetAddress.ofLiteral(host));
    } catch (IllegalArgumentException _) {
      return List.of();
    }
  }

  /** Also empty when too many lookups are running. */
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
    } catch (Throwable noThread) { // too many lookups, or no thread to be had
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
      // No error: the name has no address.
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
