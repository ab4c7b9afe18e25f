package gilmok.runsheet;

import gilmok.runsheet.plan.Plan;
import gilmok.runsheet.plan.PlanProblem;
import java.io.DataInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/**
 * A message between a server and its process of planners, big-endian:
 *
 * <pre>
 * length  int    of what follows
 * kind    byte   1 plan this, 2 give it up; 3 the plan, 4 it failed
 * id      long   the server's number for the request
 * body           1: nanoseconds that are left, long, and the problem; 3: the plan
 *                4: why, in UTF-8
 * </pre>
 *
 * @param kind one of the four
 * @param body what follows the id, to be read once
 */
record PlannerFrame(byte kind, long id, ByteBuffer body) {
  static final byte PLAN = 1;
  static final byte CANCEL = 2;
  static final byte DONE = 3;
  static final byte FAILED = 4;

  private static final int HEAD_BYTES = Byte.BYTES + Long.BYTES;

  /** More than the largest problem needs. */
  private static final int BYTES_MAX = 4 << 20;

  /** A frame for the planners: make a plan. */
  static byte[] plan(long id, long nanosLeft, PlanProblem problem) {
    ByteBuffer frame = ByteBuffer.allocate(size(Long.BYTES + ProblemCodec.size(problem)));
    begin(frame, PLAN, id).putLong(nanosLeft);
    ProblemCodec.write(problem, frame);
    return frame.array();
  }

  /** A frame for the planners: cancel a plan. */
  static byte[] cancel(long id) {
    ByteBuffer frame = ByteBuffer.allocate(size(0));
    begin(frame, CANCEL, id);
    return frame.array();
  }

  /** A frame for the server: a finished plan. */
  static byte[] done(long id, Plan plan) {
    ByteBuffer frame = ByteBuffer.allocate(size(PlanCodec.size(plan)));
    PlanCodec.write(plan, begin(frame, DONE, id));
    return frame.array();
  }

  /** A frame for the server: planning failed. */
  static byte[] failed(long id, String why) {
    byte[] text = why.getBytes(StandardCharsets.UTF_8);
    ByteBuffer frame = ByteBuffer.allocate(size(text.length));
    begin(frame, FAILED, id).put(text);
    return frame.array();
  }

  private static int size(int bodyBytes) {
    return Integer.BYTES + HEAD_BYTES + bodyBytes;
  }

  private static ByteBuffer begin(ByteBuffer frame, byte kind, long id) {
    return frame.putInt(frame.capacity() - Integer.BYTES).put(kind).putLong(id);
  }

  /**
   * Reads the next frame; null at the end of the stream.
   *
   * @throws IOException when the stream ends within a frame or the frame is malformed
   */
  static @Nullable PlannerFrame read(DataInputStream in) throws IOException {
    int first = in.read();
    if (first < 0) {
      return null;
    }
    int length = (first << 24) | (in.readUnsignedByte() << 16) | in.readUnsignedShort();
    if (length < HEAD_BYTES || length > BYTES_MAX) {
      throw new IOException("no frame: it would have " + length + " bytes");
    }
    byte[] bytes = in.readNBytes(length);
    if (bytes.length < length) {
      throw new EOFException("broken off within a frame");
    }
    ByteBuffer frame = ByteBuffer.wrap(bytes);
    return new PlannerFrame(frame.get(), frame.getLong(), frame);
  }

  /** Writes a frame. */
  static void write(byte[] frame, OutputStream out) throws IOException {
    out.write(frame);
    out.flush();
  }

  /** The body as text. */
  String text() {
    return StandardCharsets.UTF_8.decode(body).toString();
  }
}
