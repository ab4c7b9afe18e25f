package gilmok.storage;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.FileChannel;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileStore;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileAttribute;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;

/** The real file system. */
public final class FileDisk implements Disk {
  /** A disk with less free space counts as full. */
  private static final long LITTLE_BYTES = 1 << 16;

  @Override
  public void createFolder(Path folder) throws IOException {
    Path parent = folder.toAbsolutePath().getParent();
    if (parent == null) {
      return; // a root
    }
    if (Files.isDirectory(folder)) {
      forceIfAllowed(parent);
      return;
    }
    createFolder(parent);
    try {
      Files.createDirectories(folder, OwnerOnly.FOLDER);
    } catch (FileSystemException cannot) {
      throw classified(cannot, parent);
    }
    forceFolder(parent);
  }

  @Override
  public List<String> list(Path folder) throws IOException {
    try (Stream<Path> paths = Files.list(folder)) {
      return paths.filter(Files::isRegularFile).map(path -> path.getFileName().toString()).toList();
    } catch (UncheckedIOException cannot) {
      throw cannot.getCause();
    }
  }

  @Override
  public File create(Path path) throws IOException {
    return opened(
        path,
        Set.of(StandardOpenOption.CREATE_NEW, StandardOpenOption.READ, StandardOpenOption.WRITE),
        OwnerOnly.FILE);
  }

  @Override
  public File open(Path path) throws IOException {
    return opened(path, Set.of(StandardOpenOption.READ, StandardOpenOption.WRITE));
  }

  @Override
  public File openForReading(Path path) throws IOException {
    return opened(path, Set.of(StandardOpenOption.READ));
  }

  @Override
  public void rename(Path from, Path to) throws IOException {
    Files.move(from, to, StandardCopyOption.ATOMIC_MOVE);
  }

  @Override
  public void delete(Path path) throws IOException {
    Files.delete(path);
  }

  @Override
  public void forceFolder(Path folder) throws IOException {
    try (FileChannel channel = FileChannel.open(folder, StandardOpenOption.READ)) {
      channel.force(true);
    }
  }

  @Override
  public OpenFolder openFolder(Path folder) throws IOException {
    FileChannel channel = FileChannel.open(folder, StandardOpenOption.READ);
    return new OpenFolder() {
      @Override
      public void force() throws IOException {
        channel.force(true);
      }

      @Override
      public void close() throws IOException {
        channel.close();
      }
    };
  }

  /**
   * Forces the parent's names: a process that made the folder may have crashed before it forced
   * them.
   */
  private void forceIfAllowed(Path parent) throws IOException {
    try {
      forceFolder(parent);
    } catch (AccessDeniedException notOurs) {
      // This process did not make a folder that it may not read.
    }
  }

  private static File opened(
      Path path, Set<? extends OpenOption> options, FileAttribute<?>... attributes)
      throws IOException {
    try {
      return new ChannelFile(FileChannel.open(path, options, attributes), path);
    } catch (FileSystemException cannot) {
      throw classified(cannot, path);
    }
  }

  /**
   * Tells a full disk from a broken one by the system's message or, as that may be in another
   * language, by the free space. A file system without any space, such as sysfs, is never full.
   */
  private static IOException classified(IOException failure, Path path) {
    String said = String.valueOf(failure.getMessage());
    if (said.contains("No space left") || said.contains("quota exceeded")) {
      return new DiskFullException(failure);
    }
    try {
      FileStore store = Files.getFileStore(path);
      return store.getTotalSpace() > 0 && store.getUsableSpace() < LITTLE_BYTES
          ? new DiskFullException(failure)
          : failure;
    } catch (IOException unknown) {
      return failure;
    }
  }

  private record ChannelFile(FileChannel channel, Path path) implements File {
    @Override
    public void write(ByteBuffer source, long position) throws IOException {
      long at = position;
      try {
        while (source.hasRemaining()) {
          at += channel.write(source, at);
        }
      } catch (ClosedChannelException closed) {
        throw closed;
      } catch (IOException cannot) {
        throw classified(cannot, path);
      }
    }

    @Override
    public int read(ByteBuffer target, long position) throws IOException {
      return channel.read(target, position);
    }

    @Override
    public void force() throws IOException {
      try {
        channel.force(false);
      } catch (ClosedChannelException closed) {
        throw closed;
      } catch (IOException cannot) {
        throw classified(cannot, path);
      }
    }

    @Override
    public long size() throws IOException {
      return channel.size();
    }

    @Override
    public void close() throws IOException {
      channel.close();
    }
  }
}
