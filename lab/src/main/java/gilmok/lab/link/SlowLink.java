package gilmok.lab.link;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.time.Duration;
import java.util.Arrays;
import java.util.Set;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;

/**
 * A proxy to a port of this machine that delays all data on its way back: to a client the server
 * seems slow or far away. Data on the way to the server is not delayed, so a client can send
 * several requests in one delay. Thread-safe; its threads are virtual.
 */
public final class SlowLink implements AutoCloseable {
  private static final int CHUNK_BYTES = 64 * 1024;
  private static final int CHUNKS_HELD_MAX = 256;
  private static final int CONNECTIONS_MAX = 1_000;

  private final ServerSocket listener;
  private final int target;
  private final long delayNanos;
  private final Set<Socket> open = ConcurrentHashMap.newKeySet();

  /** Bytes to be held back until a time; no bytes mark the end. */
  @SuppressWarnings("ArrayRecordComponent") // handed on, and not compared
  private record Held(byte[] bytes, long dueNanos) {}

  private SlowLink(ServerSocket listener, int target, Duration delay) {
    this.listener = listener;
    this.target = target;
    this.delayNanos = delay.toNanos();
  }

  /**
   * Listens on loopback.
   *
   * @param port 0 for any
   * @param target the port of loopback to connect to
   */
  public static SlowLink open(int port, int target, Duration delay) throws IOException {
    ServerSocket listener =
        new ServerSocket(port, CONNECTIONS_MAX, InetAddress.getLoopbackAddress());
    SlowLink link = new SlowLink(listener, target, delay);
    Thread.ofVirtual().name("slow-link").start(link::accept);
    return link;
  }

  /** The port it listens on. */
  public int port() {
    return listener.getLocalPort();
  }

  private void accept() {
    while (!listener.isClosed()) {
      try {
        Socket near = listener.accept();
        if (open.size() >= 2 * CONNECTIONS_MAX) {
          near.close();
          continue;
        }
        Socket far = new Socket(InetAddress.getLoopbackAddress(), target);
        near.setTcpNoDelay(true);
        far.setTcpNoDelay(true);
        open.add(near);
        open.add(far);
        BlockingQueue<Held> held = new ArrayBlockingQueue<>(CHUNKS_HELD_MAX);
        Thread.ofVirtual().start(() -> there(near, far));
        Thread.ofVirtual().start(() -> back(far, held));
        Thread.ofVirtual().start(() -> release(held, near, far));
      } catch (IOException e) {
        if (!listener.isClosed()) {
          System.err.println("a connection was not passed on: " + e.getMessage());
        }
      }
    }
  }

  private void there(Socket near, Socket far) {
    try {
      near.getInputStream().transferTo(far.getOutputStream());
    } catch (IOException e) {
      // When one side is closed, the other is closed too.
    } finally {
      close(near);
      close(far);
    }
  }

  private void back(Socket far, BlockingQueue<Held> held) {
    byte[] chunk = new byte[CHUNK_BYTES];
    try {
      InputStream in = far.getInputStream();
      for (int read = in.read(chunk); read > 0; read = in.read(chunk)) {
        held.put(new Held(Arrays.copyOf(chunk, read), System.nanoTime() + delayNanos));
      }
    } catch (IOException e) {
      // The sender has closed; the bytes held back are still delivered.
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } finally {
      boolean _ = held.offer(new Held(new byte[0], System.nanoTime() + delayNanos));
    }
  }

  private void release(BlockingQueue<Held> held, Socket near, Socket far) {
    try {
      OutputStream out = near.getOutputStream();
      for (Held next = held.take(); next.bytes.length > 0; next = held.take()) {
        TimeUnit.NANOSECONDS.sleep(next.dueNanos - System.nanoTime());
        out.write(next.bytes);
      }
    } catch (IOException e) {
      // The receiver has closed; nothing waits for these bytes any more.
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } finally {
      close(near);
      close(far);
    }
  }

  private void close(Socket socket) {
    open.remove(socket);
    try {
      socket.close();
    } catch (IOException e) {
      System.err.println("not closed: " + e.getMessage());
    }
  }

  /** Closes the listener and all connections. */
  @Override
  public void close() throws IOException {
    listener.close();
    open.forEach(this::close);
  }
}
