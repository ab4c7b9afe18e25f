package gilmok.documents;

import com.mongodb.ConnectionString;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Assumptions;

/**
 * A proxy in front of a database, on a loopback port of its own. It can delay data, hold it back or
 * cut connections. Thread-safe.
 */
public final class MongoWire implements AutoCloseable {
  private static final int BYTES = 1 << 14;

  private final InetSocketAddress target;
  private final ServerSocket listener;
  private final Set<Socket> open = ConcurrentHashMap.newKeySet();
  private final ReentrantLock lock = new ReentrantLock();
  private final Condition changed = lock.newCondition();
  private boolean isHeld;
  private volatile boolean isCut;
  private volatile long delayNanos;

  /** What the database was sent, as far as somebody listens. */
  private volatile @Nullable Queue<String> heard;

  /** Makes a proxy to a database of loopback; skips the test where it is another's. */
  public static MongoWire to(MongoServer server) throws IOException {
    String[] host = new ConnectionString(server.uri()).getHosts().getFirst().split(":");
    Assumptions.assumeTrue(host[0].equals("127.0.0.1"), "the wire is for the loopback alone");
    return new MongoWire(Integer.parseInt(host[1]));
  }

  /** Makes a proxy to that port of loopback. */
  private MongoWire(int port) throws IOException {
    target = new InetSocketAddress(InetAddress.getLoopbackAddress(), port);
    listener = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
    Thread.ofVirtual().start(this::accept);
  }

  /** The port at which the proxy listens. */
  public int port() {
    return listener.getLocalPort();
  }

  /** From now on, no data passes; connections stay open. */
  public void hold() {
    set(true);
  }

  /** Passes on what was held back, and everything after it. */
  public void release() {
    set(false);
  }

  /** From now on, whatever the database answers comes that much later. */
  public void delay(Duration delay) {
    delayNanos = delay.toNanos();
  }

  /** Ends all connections; new ones end at once. */
  public void cut() {
    isCut = true;
    open.forEach(MongoWire::end);
  }

  /** Lets new connections through again. */
  public void mend() {
    isCut = false;
  }

  /** From now on, keeps what the database is sent, as ISO 8859-1. */
  public Queue<String> listen() {
    Queue<String> texts = new ConcurrentLinkedQueue<>();
    heard = texts;
    return texts;
  }

  private void set(boolean held) {
    lock.lock();
    try {
      isHeld = held;
      changed.signalAll();
    } finally {
      lock.unlock();
    }
  }

  private void accept() {
    while (!listener.isClosed()) {
      try {
        connect(listener.accept());
      } catch (IOException gone) {
        open.removeIf(Socket::isClosed);
      }
    }
  }

  private void connect(Socket near) throws IOException {
    open.add(near);
    if (isCut) {
      end(near);
      return;
    }
    Socket far = new Socket();
    open.add(far);
    far.connect(target);
    Thread.ofVirtual().start(() -> pump(near, far));
    Thread.ofVirtual().start(() -> pump(far, near));
  }

  private void pump(Socket from, Socket to) {
    byte[] bytes = new byte[BYTES];
    try (from;
        to) {
      InputStream in = from.getInputStream();
      OutputStream out = to.getOutputStream();
      for (int n = in.read(bytes); n >= 0; n = in.read(bytes)) {
        await();
        if (from.getPort() == target.getPort()) {
          LockSupport.parkNanos(delayNanos);
        }
        Queue<String> texts = heard;
        if (texts != null && to.getPort() == target.getPort()) {
          texts.add(new String(bytes, 0, n, StandardCharsets.ISO_8859_1));
        }
        out.write(bytes, 0, n);
      }
    } catch (IOException gone) {
      return;
    } finally {
      open.remove(from);
      open.remove(to);
    }
  }

  private void await() {
    lock.lock();
    try {
      while (isHeld) {
        changed.awaitUninterruptibly();
      }
    } finally {
      lock.unlock();
    }
  }

  private static void end(Socket socket) {
    try {
      socket.close();
    } catch (IOException gone) {
      return;
    }
  }

  @Override
  public void close() throws IOException {
    release();
    listener.close();
    open.forEach(MongoWire::end);
  }
}
