package gilmok.storage;

import java.io.IOException;

/** The disk has no room for what was to be written; with room made, it may be tried again. */
public final class DiskFullException extends IOException {
  private static final long serialVersionUID = 1L;

  /** What the file system said, as the cause. */
  public DiskFullException(IOException cause) {
    super(cause.getMessage(), cause);
  }
}
