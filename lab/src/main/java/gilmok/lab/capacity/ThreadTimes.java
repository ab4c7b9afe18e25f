package gilmok.lab.capacity;

import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;

/**
 * How long a process' threads have run, and how long they could have run and had no processor, as
 * the kernel's scheduler counts it. By names: threads whose names differ in digits alone are one.
 * Linux only; empty elsewhere. Immutable.
 *
 * @param byName the times by name
 */
public record ThreadTimes(Map<String, Time> byName) {
  /** Nothing known. */
  public static final ThreadTimes NONE = new ThreadTimes(Map.of());

  /**
   * The time of some threads, in nanoseconds.
   *
   * @param most that of the one that ran the longest
   */
  public record Time(long run, long waited, long most) {
    private Time plus(Time other) {
      return new Time(run + other.run, waited + other.waited, Math.max(most, other.most));
    }

    private Time minus(Time earlier) {
      return new Time(run - earlier.run, waited - earlier.waited, most - earlier.most);
    }
  }

  /** Those of a process so far; none when it cannot be looked at. */
  public static ThreadTimes of(long pid) {
    Map<String, Time> times = new HashMap<>();
    if (pid == 0) {
      return NONE;
    }
    Path tasks = Path.of("/proc", Long.toString(pid), "task");
    try (DirectoryStream<Path> all = Files.newDirectoryStream(tasks)) {
      for (Path thread : all) {
        add(times, thread);
      }
    } catch (IOException ended) {
      return NONE;
    }
    return new ThreadTimes(times);
  }

  private static void add(Map<String, Time> times, Path thread) {
    try {
      String name = Files.readString(thread.resolve("comm")).strip();
      String[] stat = Files.readString(thread.resolve("schedstat")).strip().split(" ");
      long run = Long.parseLong(stat[0]);
      times.merge(
          name.replaceAll("[-#]?[0-9]+", ""),
          new Time(run, Long.parseLong(stat[1]), run),
          Time::plus);
    } catch (IOException ended) {
      // It has ended since the folder was listed.
    }
  }

  /** What was added since an earlier look; a thread that has ended since counts for nothing. */
  public ThreadTimes since(ThreadTimes earlier) {
    Map<String, Time> added = new HashMap<>();
    byName.forEach(
        (name, time) -> {
          Time before = earlier.byName.get(name);
          added.put(name, before == null ? time : time.minus(before));
        });
    return new ThreadTimes(added);
  }

  /** The time of all threads whose name begins so. */
  public Time of(String prefix) {
    return byName.entrySet().stream()
        .filter(entry -> entry.getKey().startsWith(prefix))
        .map(Map.Entry::getValue)
        .reduce(new Time(0, 0, 0), Time::plus);
  }
}
