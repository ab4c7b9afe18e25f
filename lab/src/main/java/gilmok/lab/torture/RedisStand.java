package gilmok.lab.torture;

import gilmok.lab.Servers;
import gilmok.lab.Subject;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/**
 * The Redis of a world: a process that can be killed, stopped and started again. Used by one fault
 * at a time.
 */
final class RedisStand implements AutoCloseable {
  private final Servers servers;
  private final int port;
  private volatile @Nullable Subject process;

  RedisStand(Servers servers) throws IOException {
    this.servers = servers;
    this.port = Servers.freePort();
  }

  String url() {
    return "redis://127.0.0.1:" + port;
  }

  int port() {
    return port;
  }

  void start() throws IOException, InterruptedException {
    Subject now = process;
    if (now == null || !now.alive()) {
      process = servers.redis("redis-server", port);
    }
  }

  void kill() throws InterruptedException {
    Subject now = process;
    if (now != null) {
      now.kill();
      process = null;
    }
  }

  /** The process id; 0 if there is none. */
  long pid() {
    Subject now = process;
    return now == null ? 0 : now.pid();
  }

  @Override
  public void close() {
    Subject now = process;
    if (now != null) {
      now.close();
    }
  }
}
