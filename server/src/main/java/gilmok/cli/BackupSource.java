package gilmok.cli;

import gilmok.backup.repository.BackupManifest;
import java.io.IOException;
import java.io.InputStream;
import java.util.List;
import java.util.Map;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/** What is backed up: a running server, or the folder of a stopped one. For one thread. */
interface BackupSource extends AutoCloseable {
  /** The node's id. */
  String node();

  /** The ended segments that were there when the source was opened. */
  List<Segment> ended();

  /**
   * Makes a copy of one point, which is kept until {@link #close}.
   *
   * @param bytesPerSecond how fast the documents are copied at most
   * @param copied told how far that is: bytes, and of how many
   */
  Point point(long bytesPerSecond, BiConsumer<Long, Long> copied)
      throws IOException, InterruptedException;

  /** The first bytes of a segment, as many as it says; null if the log has deleted it. */
  @Nullable InputStream open(Segment segment) throws IOException, InterruptedException;

  /**
   * The ended segment that begins there now: an erasure has put it in the place of the one that was
   * named before. Null if the log has deleted it.
   */
  @Nullable Segment again(long first) throws InterruptedException;

  /** A file of the point, by its place in the list. */
  InputStream open(Point point, int index) throws IOException, InterruptedException;

  @Override
  void close() throws IOException;

  /** A segment of the log; see {@link BackupManifest.StoredSegment}. */
  record Segment(long first, String epoch, long bytes, boolean isEnded) {}

  /**
   * One point.
   *
   * @param atMillis when it was taken, epoch ms
   * @param through the last sequence of its log
   */
  record Point(
      BackupManifest.Source source,
      long atMillis,
      long through,
      List<Segment> segments,
      List<PointFile> files,
      Map<String, String> settings) {
    public Point {
      segments = List.copyOf(segments);
      files = List.copyOf(files);
      settings = Map.copyOf(settings);
    }
  }

  /** A file of a point, by its path in the data folder. */
  record PointFile(String path, long bytes) {}
}
