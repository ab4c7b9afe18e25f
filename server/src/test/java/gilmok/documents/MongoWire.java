package gilmok.documents;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/**
 * A wire to a database that can be troubled: what goes over it is held back, or it is cut. On a
 * port of the loopback of its own. Thread-safe.
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

  /** A wire to that port of the loopback. */
  public MongoWire(int port) throws IOException {
    target = new InetSocketAddress(InetAddress.getLoopbackAddress(), port);
    listener = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
    Thread.ofVirtual().start(this::accept);
  }

  /** Where it begins. */
  public int port() {
    return listener.getLocalPort();
  }

  /** From now on nothing goes over it; everything stays open. */
  public void hold() {
    set(true);
  }

  /** What was held back goes on. */
  public void release() {
    set(false);
  }

  /** All connections end, and new ones end at once. */
  public void cut() {
    isCut = true;
    open.forEach(MongoWire::end);
  }

  /** New connections are made again. */
  public void mend() {
    isCut = false;
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
