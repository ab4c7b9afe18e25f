package gilmok.log;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.stream.Stream;

/** The real file system. */
public final class FileDisk implements Disk {
  @Override
  public void createFolder(Path folder) throws IOException {
    Path parent = folder.toAbsolutePath().getParent();
    if (Files.isDirectory(folder)) {
      if (parent != null) {
        forceIfAllowed(parent);
      }
      return;
    }
    if (parent != null) {
      createFolder(parent);
    }
    Files.createDirectories(folder);
    if (parent != null) {
      forceFolder(parent);
    }
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
        path, StandardOpenOption.CREATE_NEW, StandardOpenOption.READ, StandardOpenOption.WRITE);
  }

  @Override
  public File open(Path path) throws IOException {
    return opened(path, StandardOpenOption.READ, StandardOpenOption.WRITE);
  }

  @Override
  public File openForReading(Path path) throws IOException {
    return opened(path, StandardOpenOption.READ);
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

  /** Whoever made the folder may have died before forcing its name. */
  private void forceIfAllowed(Path parent) throws IOException {
    try {
      forceFolder(parent);
    } catch (AccessDeniedException notOurs) {
      // A folder that this process may not read is not one that it made.
    }
  }

  private static File opened(Path path, OpenOption... options) throws IOException {
    return new ChannelFile(FileChannel.open(path, options));
  }

  private record ChannelFile(FileChannel channel) implements File {
    @Override
    public void write(ByteBuffer source, long position) throws IOException {
      long at = position;
      while (source.hasRemaining()) {
        at += channel.write(source, at);
      }
    }

    @Override
    public int read(ByteBuffer target, long position) throws IOException {
      return channel.read(target, position);
    }

    @Override
    public void force() throws IOException {
      channel.force(false);
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
