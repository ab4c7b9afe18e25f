package gilmok.http;

import java.io.IOException;
import java.io.InterruptedIOException;
import java.io.OutputStream;
import java.time.Duration;
import java.util.Arrays;

/**
 * A streamed reply as an output: sends what is written, as fast as the client reads. On a virtual
 * thread; not thread-safe.
 */
public final class StreamOutput extends OutputStream {
  private static final Duration PATIENCE = Duration.ofSeconds(30);

  private final ReplyStream reply;

  /** An output of a reply that somebody else ends. */
  public StreamOutput(ReplyStream reply) {
    this.reply = reply;
  }

  /** The client does not read what was asked for. */
  public static final class ClientGoneException extends IOException {
    private static final long serialVersionUID = 1L;
  }

  @Override
  public void write(int one) throws IOException {
    write(new byte[] {(byte) one}, 0, 1);
  }

  @Override
  public void write(byte[] bytes, int offset, int length) throws IOException {
    try {
      if (!ReplyRoom.await(reply, PATIENCE)) {
        throw new ClientGoneException();
      }
    } catch (InterruptedException hurried) {
      Thread.currentThread().interrupt();
      throw new InterruptedIOException();
    }
    reply.write(Arrays.copyOfRange(bytes, offset, offset + length));
  }

  /** Also tells whether the client is still there. */
  @Override
  public void flush() throws IOException {
    if (reply.isEnded()) {
      throw new ClientGoneException();
    }
  }
}
