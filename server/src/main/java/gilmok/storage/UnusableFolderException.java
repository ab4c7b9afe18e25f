package gilmok.storage;

import java.io.IOException;

/** The data folder cannot be used; the message says why and what to do. */
public class UnusableFolderException extends IOException {
  private static final long serialVersionUID = 1L;

  public UnusableFolderException(String message) {
    super(message);
  }
}
