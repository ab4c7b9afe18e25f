package gilmok.backup.repository;

import gilmok.storage.DiskFullException;
import java.io.IOException;

/** A store has no room for an object. What is in it is as it was; with room, a write succeeds. */
public final class FullStoreException extends IOException {
  private static final long serialVersionUID = 1L;

  FullStoreException(String place, DiskFullException cause) {
    super(place + " is full (" + cause.getMessage() + ")", cause);
  }
}
