package gilmok.app;

import gilmok.collect.RecordAppender;
import gilmok.storage.Disk;

/**
 * What comes between a server and what it keeps things in: nothing, but where a test has stores
 * fail. Asked while the server starts.
 */
public interface Stores {
  /** Nothing between. */
  Stores REAL = new Stores() {};

  /** Its documents. */
  default Documents documents(Documents opened) {
    return opened;
  }

  /** The disk of its log and of what is known of phones. */
  default Disk disk(Disk disk) {
    return disk;
  }

  /** Its log, for what is collected. */
  default RecordAppender acceptor(RecordAppender log) {
    return log;
  }
}
