package gilmok.sinks.firehose;

import gilmok.sinks.firehose.CredentialLinks.Link;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.auth.credentials.AwsCredentials;
import software.amazon.awssdk.auth.credentials.AwsCredentialsProvider;
import software.amazon.awssdk.core.exception.AbortedException;
import software.amazon.awssdk.utils.SdkAutoCloseable;

/**
 * Returns the credentials of the first link that has some. When none has, {@link NoCredentials}
 * gives the reason of each. Once a link is found, only that one is used, as in the SDK's own chain,
 * so that the identity does not change by itself. A link that failed is made anew, so that a
 * repaired file or a new login is noticed.
 *
 * <p>Thread-safe; blocks while a link is asked, by one thread at a time.
 */
public final class CredentialChain implements AwsCredentialsProvider, SdkAutoCloseable {
  /** A failure is cached for this long, because many threads ask at once and a link can be slow. */
  private static final long FAILURE_NANOS = TimeUnit.SECONDS.toNanos(1);

  private final Supplier<List<Link>> links;
  private final LongSupplier nanoTime;
  private final ReentrantLock turn = new ReentrantLock();
  private volatile @Nullable AwsCredentialsProvider found;

  // Guarded by the turn.
  private int foundAt = -1;
  private @Nullable NoCredentials failure;
  private long failedAt;

  /**
   * @param links called for each search; must always return the same links in the same order
   */
  CredentialChain(Supplier<List<Link>> links, LongSupplier nanoTime) {
    this.links = links;
    this.nanoTime = nanoTime;
  }

  /** The SDK's default links; or only the named profile. */
  public static CredentialChain of(@Nullable String profile) {
    return new CredentialChain(
        profile == null ? CredentialLinks::usual : () -> List.of(CredentialLinks.profile(profile)),
        System::nanoTime);
  }

  @Override
  public AwsCredentials resolveCredentials() {
    AwsCredentialsProvider known = found;
    if (known != null) {
      try {
        return known.resolveCredentials();
      } catch (RuntimeException gone) {
        throwIfInterrupted(gone);
      }
    }
    try {
      turn.lockInterruptibly();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw AbortedException.create("interrupted", e);
    }
    try {
      return look(known);
    } finally {
      turn.unlock();
    }
  }

  /**
   * @param gone the provider that the caller has seen fail; null when there is none
   */
  private AwsCredentials look(@Nullable AwsCredentialsProvider gone) {
    AwsCredentialsProvider other = found;
    if (other != null && other != gone) {
      return other.resolveCredentials(); // another thread was first
    }
    NoCredentials known = failure;
    if (known != null && nanoTime.getAsLong() - failedAt < FAILURE_NANOS) {
      throw known;
    }
    letGo();
    List<String> reasons = new ArrayList<>();
    List<Link> all = links(reasons);
    int end = foundAt < 0 ? all.size() : Math.min(all.size(), foundAt + 1);
    for (int i = Math.max(0, foundAt); i < end; i++) {
      Link link = all.get(i);
      String lack = link.lack();
      AwsCredentials credentials = lack == null ? ask(link, reasons) : null;
      if (credentials != null) {
        foundAt = i;
        failure = null;
        return credentials;
      }
      if (lack != null) {
        reasons.add(link.name() + ": " + lack);
      }
    }
    failure = new NoCredentials(String.join("; ", reasons));
    failedAt = nanoTime.getAsLong();
    throw failure;
  }

  /**
   * The links; none when the SDK's settings have an invalid value, which is added to the reasons.
   */
  private List<Link> links(List<String> reasons) {
    try {
      return links.get();
    } catch (RuntimeException unreadable) {
      reasons.add(CredentialReasons.of(unreadable));
      return List.of();
    }
  }

  private @Nullable AwsCredentials ask(Link link, List<String> reasons) {
    AwsCredentialsProvider provider = null;
    try {
      provider = link.provider().get();
      AwsCredentials credentials = provider.resolveCredentials();
      found = provider;
      return credentials;
    } catch (RuntimeException failed) {
      close(provider);
      throwIfInterrupted(failed);
      reasons.add(link.name() + ": " + CredentialReasons.of(failed));
      return null;
    }
  }

  static void throwIfInterrupted(RuntimeException failed) {
    if (failed instanceof AbortedException || Thread.currentThread().isInterrupted()) {
      throw failed;
    }
  }

  private void letGo() {
    close(found);
    found = null;
  }

  static void close(@Nullable AwsCredentialsProvider provider) {
    if (provider instanceof SdkAutoCloseable closeable) {
      closeable.close();
    }
  }

  @Override
  public void close() {
    turn.lock();
    try {
      letGo();
    } finally {
      turn.unlock();
    }
  }
}
