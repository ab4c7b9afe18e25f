package gilmok.warmup;

import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * A minimal HTTP/1.1 client for one connection to this machine, one request at a time. It is small
 * so that it takes little processor time from the code being warmed up. An event stream never ends,
 * so the client reads only its beginning and then reconnects.
 *
 * <p>Not thread-safe.
 */
public final class LoopbackClient implements AutoCloseable {
  private static final int PATIENCE_MILLIS = 10_000;
  private static final int KEPT_BYTES = 4096;
  private static final String ENDS = "/\"'<>?& \n";

  private final int port;
  private Socket socket;
  private InputStream in;
  private OutputStream out;
  private final List<String> headers = new ArrayList<>();
  private final byte[] buffer = new byte[64 * 1024];
  private int position;
  private int limit;
  private final StringBuilder line = new StringBuilder();
  private final byte[] start = new byte[KEPT_BYTES];
  private int startLength;

  /** Whether the server closes the connection after the last response. */
  private boolean isOver;

  /** Connects to a port of this machine. */
  public LoopbackClient(int port) throws IOException {
    this.port = port;
    socket = connected(port);
    in = socket.getInputStream();
    out = socket.getOutputStream();
  }

  private static Socket connected(int port) throws IOException {
    Socket socket = new Socket(InetAddress.getLoopbackAddress(), port);
    socket.setTcpNoDelay(true);
    socket.setSoTimeout(PATIENCE_MILLIS);
    return socket;
  }

  private void connectAnew() throws IOException {
    socket.close();
    socket = connected(port);
    in = socket.getInputStream();
    out = socket.getOutputStream();
    position = 0;
    limit = 0;
  }

  /** Whether the server closes the connection, so that no further request can be sent. */
  public boolean isOver() {
    return isOver;
  }

  /**
   * Sends a request and reads the whole response.
   *
   * @return its status code
   * @throws IOException when the connection fails or the response is not HTTP/1.1
   */
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
    headers.clear();
    for (String header = line(); !header.isEmpty(); header = line()) {
      headers.add(header);
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
    startLength = 0;
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

  /**
   * The value of a capture in the last response; empty if it is not there. Only the beginning of a
   * body is searched.
   */
  String found(ResponseCapture capture) {
    String what = capture.what();
    return switch (capture.place()) {
      case HEADER -> header(what + ":");
      case COOKIE -> {
        String cookie = header("Set-Cookie:");
        int end = cookie.indexOf(';');
        boolean isIt = cookie.startsWith(what + "=") && end > 0;
        yield isIt ? cookie.substring(what.length() + 1, end) : "";
      }
      case FIELD -> {
        String value = behind('"' + what + "\":");
        yield value.startsWith("\"") ? cut(value.substring(1), "\"") : cut(value, ",]}");
      }
      case BEHIND -> cut(behind(what), ENDS);
    };
  }

  private String header(String start) {
    for (String header : headers) {
      if (header.regionMatches(true, 0, start, 0, start.length())) {
        return header.substring(start.length()).strip();
      }
    }
    return "";
  }

  private String behind(String mark) {
    String text = new String(start, 0, startLength, StandardCharsets.UTF_8);
    int at = text.indexOf(mark);
    return at < 0 ? "" : text.substring(at + mark.length());
  }

  /** A text up to the first of some characters; empty if it contains none of them. */
  private static String cut(String text, String ends) {
    int end = 0;
    while (end < text.length() && ends.indexOf(text.charAt(end)) < 0) {
      end++;
    }
    return end == text.length() ? "" : text.substring(0, end);
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
      int kept = Math.min(part, KEPT_BYTES - startLength);
      System.arraycopy(buffer, position, start, startLength, kept);
      startLength += kept;
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
