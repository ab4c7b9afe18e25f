package gilmok.jobs;

import gilmok.background.BackgroundLoop;
import gilmok.background.BackgroundLoops;
import gilmok.background.LowPriority;
import gilmok.event.JsonTexts;
import gilmok.event.RiderAlias;
import gilmok.observe.Counter;
import gilmok.observe.Meters;
import gilmok.storage.Checkpoint;
import gilmok.storage.Disk;
import gilmok.storage.NewerFormatException;
import gilmok.warmup.Drainable;
import java.io.IOException;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import java.util.random.RandomGenerator;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * All jobs, each in a file of the data folder; one at a time is worked on, the oldest first but the
 * keys by turns, by a thread of low priority. A part that fails is tried again for some minutes;
 * then the job has failed, and the next begins. Thread-safe; {@link #submit} and {@link #end}
 * block.
 */
public final class Jobs implements Drainable {
  private static final Logger LOG = System.getLogger("gilmok.jobs");
  private static final long SAVE_NANOS = TimeUnit.SECONDS.toNanos(2);
  private static final int TRIES_MAX = 20;

  /** A key may have this part of the jobs that wait. */
  private static final int KEY_PART = 4;

  private static final String SUFFIX = ".job";

  private final JobsConfig config;
  private final Path folder;
  private final Disk disk;
  private final InstantSource clock;
  private final RandomGenerator random;
  private final Map<String, JobKind> kinds = new HashMap<>();

  /** Those that are durable; under this object's lock. */
  private final Map<String, Job> jobs = new HashMap<>();

  /** Those that are being made durable: they count, and are not worked on; under the same lock. */
  private final Map<String, Job> arriving = new HashMap<>();

  /**
   * To write or delete a job's file: one thread at a time, as its new content first has a name of
   * its own beside it. Never taken under this object's lock.
   */
  private final ReentrantLock filing = new ReentrantLock();

  private final BackgroundLoop loop;
  private final Counter parts;

  /** Owned by the loop's thread. */
  private @Nullable String current;

  /** The key whose job was worked on last; the next one is another's, if there is any. */
  private String lastKey = "";

  private long savedNanos;
  private int tries;
  private boolean isLow;

  /** What jobs work with. */
  public record Means(
      Path data,
      Disk disk,
      InstantSource clock,
      RandomGenerator random,
      BackgroundLoops loops,
      Meters meters) {}

  /**
   * Reads the jobs that an earlier process has left; {@link #start} goes on with them.
   *
   * @throws IOException when the folder cannot be read
   */
  public Jobs(JobsConfig config, List<JobKind> kinds, Means means)
      throws IOException, InterruptedException {
    this.config = config;
    folder = means.data.resolve("jobs");
    disk = means.disk;
    clock = means.clock;
    random = means.random;
    kinds.forEach(kind -> this.kinds.put(kind.name(), kind));
    disk.createFolder(folder);
    for (String name : disk.list(folder)) {
      if (name.endsWith(SUFFIX)) {
        load(name.substring(0, name.length() - SUFFIX.length()));
      }
    }
    loop = means.loops.optional("jobs", "jobs are not worked on", this::pass);
    means.meters.gauge("gilmok_jobs_waiting", "Jobs that are not done.", this::waiting);
    means.meters.gauge(
        "gilmok_jobs_waiting_max", "The bound of gilmok_jobs_waiting.", config::waitingMax);
    parts = means.meters.counter("gilmok_job_parts_total", "Parts of jobs that were done.");
  }

  private void load(String id) throws IOException, InterruptedException {
    Checkpoint file = file(id);
    Job job;
    try {
      job = file.read(in -> Job.read(in, file.path()));
    } catch (NewerFormatException newer) {
      throw newer;
    } catch (IOException | RuntimeException unreadable) {
      job = null;
    }
    if (job == null || !job.id().equals(id) || !kinds.containsKey(job.kind())) {
      LOG.log(Level.WARNING, "the job {0} cannot be read and is forgotten; ask again", id);
      file.delete();
    } else {
      jobs.put(id, job);
    }
  }

  private Checkpoint file(String id) {
    return new Checkpoint(disk, folder.resolve(id + SUFFIX));
  }

  /** Begins to work. */
  public void start() {
    loop.start();
  }

  /** What became of a question. */
  public sealed interface Submission {
    /** It is a job with this id, durably. */
    record Accepted(String id) implements Submission {}

    /** There are too many jobs. */
    record Full() implements Submission {}

    /** The key has so many that are not done: others must have room, too. */
    record Share(int jobs) implements Submission {}
  }

  /**
   * Accepts a job; durable on return.
   *
   * @param keyId of the key that asks
   */
  public Submission submit(JobKind kind, String request, String keyId)
      throws IOException, InterruptedException {
    String id = String.format("%016x", random.nextLong());
    Job job =
        new Job(
            id,
            kind.name(),
            request,
            keyId,
            clock.millis(),
            kind.parts(request),
            List.of(),
            null,
            null);
    synchronized (this) {
      int its = (int) waitingJobs().filter(one -> one.keyId().equals(keyId)).count();
      if (waiting() >= config.waitingMax()) {
        return new Submission.Full();
      }
      if (its >= Math.max(1, config.waitingMax() / KEY_PART)) {
        return new Submission.Share(its);
      }
      arriving.put(id, job);
    }
    boolean isSaved = false;
    try {
      save(job);
      isSaved = true;
    } finally {
      arrived(job, isSaved);
    }
    loop.wake();
    return new Submission.Accepted(id);
  }

  private synchronized void arrived(Job job, boolean isSaved) {
    arriving.remove(job.id());
    if (isSaved) {
      jobs.put(job.id(), job);
    }
  }

  private void save(Job job) throws IOException, InterruptedException {
    filing.lockInterruptibly();
    try {
      file(job.id()).replace(job::write);
    } finally {
      filing.unlock();
    }
  }

  private void delete(String id) throws IOException, InterruptedException {
    filing.lockInterruptibly();
    try {
      file(id).delete();
    } finally {
      filing.unlock();
    }
  }

  /** How many are not done. */
  private synchronized int waiting() {
    return (int) waitingJobs().count();
  }

  private Stream<Job> waitingJobs() {
    return Stream.concat(open(), arriving.values().stream());
  }

  /** Those that are not done; under the lock. */
  private Stream<Job> open() {
    return jobs.values().stream().filter(job -> job.end() == null);
  }

  /** A job; null if there is none of that id, or not any more. */
  synchronized @Nullable Job find(String id) {
    return jobs.get(id);
  }

  /** The kind of a job. */
  JobKind kind(Job job) {
    JobKind kind = kinds.get(job.kind());
    if (kind == null) {
      throw new IllegalStateException("no kind " + job.kind());
    }
    return kind;
  }

  /** Ends a job and forgets it, durably; false if there is none of that id. */
  boolean end(String id) throws IOException, InterruptedException {
    synchronized (this) {
      if (jobs.remove(id) == null) {
        return false;
      }
    }
    delete(id);
    return true;
  }

  /** Ends and forgets every job that a rider is in, durably; returns how many there were. */
  public int forget(RiderAlias rider) throws IOException, InterruptedException {
    List<String> ids;
    synchronized (this) {
      ids = jobs.values().stream().filter(job -> isAbout(job, rider)).map(Job::id).toList();
    }
    int gone = 0;
    for (String id : ids) {
      gone += end(id) ? 1 : 0;
    }
    return gone;
  }

  /** Whether a rider is in its request or in what it has found so far. */
  private boolean isAbout(Job job, RiderAlias rider) {
    byte[] json = kind(job).json(job.request(), job.done());
    return JsonTexts.anyValue(json, 0, json.length, (_, text) -> rider.pseudonym(text) != null);
  }

  /** Does one part of the oldest job. */
  private long pass() throws IOException, InterruptedException {
    if (!isLow) {
      isLow = true;
      LowPriority.lower();
    }
    expire();
    Job job = next();
    if (job == null) {
      return BackgroundLoops.SLEEP_MAX.toNanos();
    }
    if (!job.id().equals(current)) {
      current = job.id();
      lastKey = job.keyId();
      tries = 0;
      savedNanos = System.nanoTime();
    }
    try {
      Job after = job.with(kind(job).part(job.request(), job.done().size()));
      tries = 0;
      parts.increment();
      long bytes = after.done().stream().mapToLong(part -> part.length).sum();
      become(bytes > config.bytesMax() ? job.failed("its results are over jobs.bytes-max") : after);
    } catch (IOException outage) {
      if (++tries < TRIES_MAX) {
        throw outage; // the loop tries again after a pause
      }
      become(job.failed(String.valueOf(outage.getMessage())));
    } catch (RuntimeException bug) {
      LOG.log(Level.ERROR, "the job " + job.id() + " failed by a bug of the server", bug);
      become(job.failed("a bug of the server; its log says more"));
    }
    return 0;
  }

  /** The one under way; else the oldest, another key's first. */
  private synchronized @Nullable Job next() {
    Job underWay = current == null ? null : jobs.get(current);
    if (underWay != null && underWay.end() == null) {
      return underWay;
    }
    return open()
        .min(
            Comparator.comparing((Job job) -> job.keyId().equals(lastKey))
                .thenComparingLong(Job::createdAtMillis)
                .thenComparing(Job::id))
        .orElse(null);
  }

  /** Takes a new state of a job, unless it was ended meanwhile; saves it now and then. */
  private void become(Job job) throws IOException, InterruptedException {
    synchronized (this) {
      if (jobs.replace(job.id(), job) == null) {
        return;
      }
    }
    if (job.end() != null || System.nanoTime() - savedNanos > SAVE_NANOS) {
      save(job);
      savedNanos = System.nanoTime();
      if (find(job.id()) == null) {
        delete(job.id()); // ended while it was saved
      }
    }
  }

  private void expire() throws IOException, InterruptedException {
    long oldest = clock.millis() - config.keep().toMillis();
    List<String> old;
    synchronized (this) {
      old =
          jobs.values().stream()
              .filter(job -> job.end() != null && job.createdAtMillis() < oldest)
              .map(Job::id)
              .toList();
    }
    for (String id : old) {
      boolean _ = end(id);
    }
  }

  @Override
  public String name() {
    return "jobs";
  }

  /** Ends the part under way; it is done again after the next start. */
  @Override
  public void drain(Duration patience) throws InterruptedException {
    loop.stop(patience);
  }
}
