package gilmok.keys;

import java.io.IOException;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Documents that are watched, as other nodes may share them. Thread-safe. */
public interface SharedDocuments {
  /** Whether other nodes share them. */
  boolean areShared();

  /**
   * Why this node's own file cannot be written, for the operator; null while it can. Not used for a
   * database that nodes share, whose faults show in the calls to it.
   */
  @Nullable String fault();

  /**
   * Makes the documents fit for use, unless they are.
   *
   * @throws UnfitDocuments when a person has to act first
   * @throws IOException when they do not answer
   */
  void prepare() throws IOException, InterruptedException;

  /**
   * Checks again whether they are fit for use: an index may have been dropped, or the database
   * replaced by another. Mends what can be mended.
   *
   * @return a line for each thing that is lacking
   */
  List<String> lookAgain() throws IOException, InterruptedException;
}
