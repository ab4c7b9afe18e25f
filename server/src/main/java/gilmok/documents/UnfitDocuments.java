package gilmok.documents;

import java.io.IOException;
import java.util.List;

/**
 * The database answers but is unfit: an index is missing or has another shape. An operator has to
 * repair that.
 */
public final class UnfitDocuments extends IOException {
  private static final long serialVersionUID = 1;

  /** The exception for these faults, a line each. */
  public UnfitDocuments(List<String> lacking) {
    super(String.join("; ", lacking));
  }
}
