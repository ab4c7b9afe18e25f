package gilmok.keys;

import java.io.IOException;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Documents whose state is watched, as other nodes may use the same. Thread-safe. */
public interface SharedDocuments {
  /** Whether other nodes use the same. */
  boolean areShared();

  /**
   * Why this node's own file cannot be written, for the operator; null while it can. Of a database
   * that all nodes share that is not asked: what they ask it for tells.
   */
  @Nullable String fault();

  /**
   * Makes them fit for use, where they are not yet.
   *
   * @throws UnfitDocuments when somebody has to do something about that
   * @throws IOException when they do not answer
   */
  void prepare() throws IOException, InterruptedException;

  /**
   * Looks once more whether they are still fit for use: an index may have been dropped, another
   * database put in place of this one. What can be mended is.
   *
   * @return a line for each thing that is lacking
   */
  List<String> lookAgain() throws IOException, InterruptedException;
}
