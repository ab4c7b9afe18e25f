package gilmok.sinks;

import gilmok.log.ForwardingDisk;
import gilmok.storage.Disk;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;

/**
 * A disk on which something happens before the log's writer forces a file: it takes long, or fails.
 */
final class ForceHookDisk extends ForwardingDisk {
  private final Hook hook;

  /** What happens. */
  interface Hook {
    void beforeForce() throws IOException;
  }

  ForceHookDisk(Disk disk, Hook hook) {
    super(disk);
    this.hook = hook;
  }

  @Override
  public File create(Path path) throws IOException {
    return new HookedFile(super.create(path), hook);
  }

  @Override
  public File open(Path path) throws IOException {
    return new HookedFile(super.open(path), hook);
  }

  private record HookedFile(Disk.File file, Hook hook) implements Disk.File {
    @Override
    public void write(ByteBuffer source, long position) throws IOException {
      file.write(source, position);
    }

    @Override
    public int read(ByteBuffer target, long position) throws IOException {
      return file.read(target, position);
    }

    @Override
    public void force() throws IOException {
      if (Thread.currentThread().getName().equals("log-writer")) {
        hook.beforeForce();
      }
      file.force();
    }

    @Override
    public long size() throws IOException {
      return file.size();
    }

    @Override
    public void close() throws IOException {
      file.close();
    }
  }
}
