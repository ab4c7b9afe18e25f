package gilmok.jobs;

import java.io.IOException;
import java.util.List;

/**
 * What a job computes. A job is done part by part: what is done is kept, and only the part that was
 * under way is done again after a restart. Thread-safe.
 */
public interface JobKind {
  /** Its name in answers and files; {@code a-z} and dashes. */
  String name();

  /**
   * How many parts a request has, at least one.
   *
   * @param request what the job was asked, in this kind's own form
   */
  int parts(String request);

  /** Does one part; returns its result. May take seconds; an interrupt ends it. */
  byte[] part(String request, int number) throws IOException, InterruptedException;

  /** The result of all parts, as JSON. */
  byte[] json(String request, List<byte[]> parts);

  /** The result of all parts, as CSV. */
  byte[] csv(String request, List<byte[]> parts);
}
