package gilmok.log;

import gilmok.storage.Disk;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;

/** A disk that forwards each operation to another. Subclasses change single operations. */
public abstract class ForwardingDisk implements Disk {
  private final Disk disk;

  protected ForwardingDisk(Disk disk) {
    this.disk = disk;
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
    return disk.create(path);
  }

  @Override
  public File open(Path path) throws IOException {
    return disk.open(path);
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
}
