package gilmok.app;

import gilmok.collect.RecordAppender;
import gilmok.storage.Disk;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Makes every store of a server fail for requests. Background work is let through: other tests show
 * that it recovers.
 */
final class Trouble implements Stores {
  /** How stores fail. */
  enum Kind {
    /** A bug of ours, or of a driver. */
    EXCEPTION(500, "broken", "bug") {
      @Override
      void strike() {
        throw new IllegalStateException("told to fail");
      }
    },
    /** An error: it ends a thread that catches exceptions only. */
    ERROR(500, "broken", "bug") {
      @Override
      void strike() {
        throw new NoClassDefFoundError("told to fail");
      }
    },
    /** The store does not answer. */
    OUTAGE(503, "busy", "outage") {
      @Override
      void strike() throws IOException {
        throw new IOException("told to fail");
      }
    };

    final int status;
    final String refusal;
    final String cause;

    Kind(int status, String refusal, String cause) {
      this.status = status;
      this.refusal = refusal;
      this.cause = cause;
    }

    abstract void strike() throws IOException;
  }

  private volatile @Nullable Kind kind;
  private volatile boolean isRegisterAway;
  private volatile boolean doesJournalFail;

  /** Sets how stores fail from now on; with null they work again. */
  void is(@Nullable Kind now) {
    kind = now;
  }

  /** Sets whether the register cannot be written from now on. */
  void registerIsAway(boolean now) {
    isRegisterAway = now;
  }

  /** Sets whether this node's disk takes no rows of the register from now on. */
  void journalFails(boolean now) {
    doesJournalFail = now;
  }

  void strikeRegister() throws IOException {
    if (isRegisterAway) {
      throw new IOException("told to fail");
    }
  }

  /** Fails if stores fail now and this thread serves a request. */
  void strike() throws IOException {
    Kind now = kind;
    if (now != null && isForARequest()) {
      now.strike();
    }
  }

  private static boolean isForARequest() {
    Thread thread = Thread.currentThread();
    String name = thread.getName();
    return thread.isVirtual() && name.startsWith("gilmok-") && !name.startsWith("gilmok-relay");
  }

  @Override
  public Documents documents(Documents opened) {
    return new TroubledDocuments(opened, this);
  }

  /** Never fails with an outage: the log reports one by its result, not by an exception. */
  @Override
  public RecordAppender acceptor(RecordAppender log) {
    return (batch, completion) -> {
      Kind now = kind;
      if (now == Kind.EXCEPTION) {
        throw new IllegalStateException("told to fail");
      }
      if (now == Kind.ERROR) {
        throw new NoClassDefFoundError("told to fail");
      }
      return log.append(batch, completion);
    };
  }

  @Override
  public Disk disk(Disk disk) {
    return new Troubled(disk);
  }

  private final class Troubled implements Disk {
    private final Disk disk;

    Troubled(Disk disk) {
      this.disk = disk;
    }

    /** The register is written before each answer, so what a route asks for would not fail. */
    private void strike(Path path) throws IOException {
      if (!path.toString().contains("/register")) {
        Trouble.this.strike();
      } else if (doesJournalFail) {
        throw new IOException("told to have no room");
      }
    }

    @Override
    public void createFolder(Path folder) throws IOException {
      strike(folder);
      disk.createFolder(folder);
    }

    @Override
    public List<String> list(Path folder) throws IOException {
      strike(folder);
      return disk.list(folder);
    }

    @Override
    public File create(Path path) throws IOException {
      strike(path);
      return disk.create(path);
    }

    @Override
    public File open(Path path) throws IOException {
      strike(path);
      return disk.open(path);
    }

    @Override
    public File openForReading(Path path) throws IOException {
      strike(path);
      return disk.openForReading(path);
    }

    @Override
    public void rename(Path from, Path to) throws IOException {
      strike(from);
      disk.rename(from, to);
    }

    @Override
    public void delete(Path path) throws IOException {
      strike(path);
      disk.delete(path);
    }

    @Override
    public void forceFolder(Path folder) throws IOException {
      strike(folder);
      disk.forceFolder(folder);
    }
  }
}
