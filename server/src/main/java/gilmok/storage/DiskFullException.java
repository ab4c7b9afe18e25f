package gilmok.storage;

import java.io.IOException;

/** The disk has no room for a write; the write may be retried once there is room. */
public final class DiskFullException extends IOException {
  private static final long serialVersionUID = 1L;

  /** Takes the file system's exception as the cause. */
  public DiskFullException(IOException cause) {
    super(cause.getMessage(), cause);
  }
}
