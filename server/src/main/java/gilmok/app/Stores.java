package gilmok.app;

import gilmok.collect.RecordAppender;
import gilmok.storage.Disk;
import java.time.InstantSource;

/**
 * Wraps a server's stores as it starts. In production it wraps nothing; tests make stores fail with
 * it, and set the clock. Called by the thread that starts the server.
 */
public interface Stores {
  /** Wraps nothing. */
  Stores REAL = new Stores() {};

  /** Wraps the documents. */
  default Documents documents(Documents opened) {
    return opened;
  }

  /** The time, before it is made steady. */
  default InstantSource time() {
    return InstantSource.system();
  }

  /** Wraps the disk of the log and of the phones' saved state. */
  default Disk disk(Disk disk) {
    return disk;
  }

  /** Wraps the log, for collected records. */
  default RecordAppender acceptor(RecordAppender log) {
    return log;
  }
}
