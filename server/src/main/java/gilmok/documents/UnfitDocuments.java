package gilmok.documents;

import java.io.IOException;
import java.util.List;

/**
 * The database answers, and is not what is needed of it: an index is not there, or has another
 * shape. Somebody has to do something about it.
 */
public final class UnfitDocuments extends IOException {
  private static final long serialVersionUID = 1;

  /** With what is lacking, a line each. */
  public UnfitDocuments(List<String> lacking) {
    super(String.join("; ", lacking));
  }
}
