package gilmok.jobs;

import gilmok.storage.NewerFormatException;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * One job, as it is now. Immutable.
 *
 * @param id 16 hexadecimal digits
 * @param kind the name of its {@link JobKind}
 * @param keyId of the key that asked for it
 * @param createdAtMillis epoch ms
 * @param of how many parts it has
 * @param done the results of the parts that are done, in order
 * @param end why it has ended; null while it has not
 * @param error what failed; null if nothing did
 */
record Job(
    String id,
    String kind,
    String request,
    String keyId,
    long createdAtMillis,
    int of,
    List<byte[]> done,
    @Nullable End end,
    @Nullable String error) {
  private static final int FORMAT = 1;

  /** Why a job has ended. */
  enum End {
    DONE,
    FAILED
  }

  Job {
    done = List.copyOf(done);
  }

  /** With one more part that is done. */
  Job with(byte[] part) {
    List<byte[]> more = new ArrayList<>(done);
    more.add(part);
    End ended = more.size() == of ? End.DONE : null;
    return new Job(id, kind, request, keyId, createdAtMillis, of, more, ended, null);
  }

  /** As one that has failed for good. */
  Job failed(String why) {
    return new Job(id, kind, request, keyId, createdAtMillis, of, done, End.FAILED, why);
  }

  /** Its state in answers. */
  String state() {
    if (end == null) {
      return done.isEmpty() ? "waiting" : "running";
    }
    return end == End.DONE ? "done" : "failed";
  }

  void write(DataOutputStream out) throws IOException {
    out.writeInt(FORMAT);
    for (String text : List.of(id, kind, request, keyId, error == null ? "" : error)) {
      bytes(text.getBytes(StandardCharsets.UTF_8), out);
    }
    out.writeLong(createdAtMillis);
    out.writeInt(of);
    out.writeUTF(end == null ? "" : end.name());
    out.writeInt(done.size());
    for (byte[] part : done) {
      bytes(part, out);
    }
  }

  private static void bytes(byte[] bytes, DataOutputStream out) throws IOException {
    out.writeInt(bytes.length);
    out.write(bytes);
  }

  static Job read(DataInputStream in, Path file) throws IOException {
    int format = in.readInt();
    if (format != FORMAT) {
      throw new NewerFormatException(file, format, FORMAT);
    }
    String id = text(in);
    String kind = text(in);
    String request = text(in);
    String keyId = text(in);
    String error = text(in);
    long createdAt = in.readLong();
    int of = in.readInt();
    String end = in.readUTF();
    List<byte[]> done = new ArrayList<>();
    for (int left = in.readInt(); left > 0; left--) {
      done.add(bytes(in));
    }
    return new Job(
        id,
        kind,
        request,
        keyId,
        createdAt,
        of,
        done,
        end.isEmpty() ? null : End.valueOf(end),
        error.isEmpty() ? null : error);
  }

  private static String text(DataInputStream in) throws IOException {
    return new String(bytes(in), StandardCharsets.UTF_8);
  }

  private static byte[] bytes(DataInputStream in) throws IOException {
    return in.readNBytes(in.readInt());
  }
}
