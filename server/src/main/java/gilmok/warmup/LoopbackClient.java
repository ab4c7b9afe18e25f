package gilmok.warmup;

import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.util.Locale;
import javax.net.SocketFactory;

/**
 * A minimal HTTP/1.1 client for one connection to this machine, one request at a time. It is small
 * so that it takes little processor time from the code being warmed up. An event stream never ends,
 * so the client reads only its beginning and then reconnects.
 *
 * <p>Not thread-safe.
 */
public final class LoopbackClient implements ScriptClient {
  private static final int PATIENCE_MILLIS = 10_000;

  private final int port;
  private final SocketFactory sockets;
  private Socket socket;
  private InputStream in;
  private OutputStream out;
  private final KeptResponse kept = new KeptResponse();
  private final byte[] buffer = new byte[64 * 1024];
  private int position;
  private int limit;
  private final StringBuilder line = new StringBuilder();

  /** Whether the server closes the connection after the last response. */
  private boolean isOver;

  /** Connects to a port of this machine. */
  public LoopbackClient(int port) throws IOException {
    this(port, SocketFactory.getDefault());
  }

  /** Connects to a port of this machine by sockets of a kind, such as those of TLS. */
  public LoopbackClient(int port, SocketFactory sockets) throws IOException {
    this.port = port;
    this.sockets = sockets;
    socket = connected();
    in = socket.getInputStream();
    out = socket.getOutputStream();
  }

  private Socket connected() throws IOException {
    Socket connected = sockets.createSocket(InetAddress.getLoopbackAddress(), port);
    connected.setTcpNoDelay(true);
    connected.setSoTimeout(PATIENCE_MILLIS);
    return connected;
  }

  private void connectAnew() throws IOException {
    socket.close();
    socket = connected();
    in = socket.getInputStream();
    out = socket.getOutputStream();
    position = 0;
    limit = 0;
  }

  @Override
  public boolean isOver() {
    return isOver;
  }

  @Override
  public int exchange(byte[] request) throws IOException {
    out.write(request);
    String status = line();
    if (!status.startsWith("HTTP/1.1 ") || status.length() < 12) {
      throw new IOException("no answer of HTTP/1.1: " + status);
    }
    int code = Integer.parseInt(status, 9, 12, 10);
    long length = 0;
    boolean isChunked = false;
    boolean isEndless = false;
    kept.begin();
    for (String header = line(); !header.isEmpty(); header = line()) {
      kept.header(header);
      String small = header.toLowerCase(Locale.ROOT);
      if (small.startsWith("content-length:")) {
        length = Long.parseLong(small.substring(15).strip());
      } else if (small.startsWith("transfer-encoding:")) {
        isChunked = small.contains("chunked");
      } else if (small.startsWith("connection:") && small.contains("close")) {
        isOver = true;
      } else if (small.startsWith("content-type:")) {
        isEndless = small.contains("text/event-stream");
      }
    }
    if (isEndless) {
      skip(size());
      connectAnew();
    } else if (isChunked) {
      chunks();
    } else if (code != 304 && code != 204 && request[0] != 'H') {
      skip(length);
    }
    return code;
  }

  @Override
  public String found(ResponseCapture capture) {
    return kept.found(capture);
  }

  private void chunks() throws IOException {
    for (int size = size(); size > 0; size = size()) {
      skip(size);
      line();
    }
    for (String trailer = line(); !trailer.isEmpty(); ) {
      trailer = line();
    }
  }

  private int size() throws IOException {
    String text = line();
    int end = text.indexOf(';');
    return Integer.parseInt(end < 0 ? text : text.substring(0, end), 16);
  }

  private void skip(long length) throws IOException {
    for (long left = length; left > 0; ) {
      if (position == limit) {
        fill();
      }
      int part = (int) Math.min(left, limit - position);
      kept.body(buffer, position, part);
      position += part;
      left -= part;
    }
  }

  private String line() throws IOException {
    line.setLength(0);
    while (true) {
      if (position == limit) {
        fill();
      }
      char c = (char) (buffer[position++] & 0xff);
      if (c == '\n') {
        return line.toString();
      }
      if (c != '\r') {
        line.append(c);
      }
    }
  }

  private void fill() throws IOException {
    position = 0;
    limit = Math.max(0, in.read(buffer));
    if (limit == 0) {
      throw new EOFException("the server closed the connection");
    }
  }

  @Override
  public void close() throws IOException {
    socket.close();
  }
}
