package gilmok.sinks;

import gilmok.storage.Disk;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.List;

/**
 * A disk on which something happens before the log's writer forces a file: it takes long, or fails.
 */
record ForceHookDisk(Disk disk, Hook hook) implements Disk {
  /** What happens. */
  interface Hook {
    void beforeForce() throws IOException;
  }

  @Override
  public void createFolder(Path folder) throws IOException {
    disk.createFolder(folder);
  }

  @Override
  public List<String> list(Path folder) throws IOException {
    return disk.list(folder);
  }

  @Override
  public File create(Path path) throws IOException {
    return new HookedFile(disk.create(path), hook);
  }

  @Override
  public File open(Path path) throws IOException {
    return new HookedFile(disk.open(path), hook);
  }

  @Override
  public File openForReading(Path path) throws IOException {
    return disk.openForReading(path);
  }

  @Override
  public void rename(Path from, Path to) throws IOException {
    disk.rename(from, to);
  }

  @Override
  public void delete(Path path) throws IOException {
    disk.delete(path);
  }

  @Override
  public void forceFolder(Path folder) throws IOException {
    disk.forceFolder(folder);
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
