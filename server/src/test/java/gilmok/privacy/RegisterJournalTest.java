package gilmok.privacy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import gilmok.log.FaultyDisk;
import gilmok.log.FaultyDisk.Operation;
import gilmok.privacy.RegisterRow.Act;
import gilmok.privacy.RegisterRow.Kind;
import gilmok.privacy.RegisterRow.Span;
import gilmok.storage.FileDisk;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Rows on this node's disk: durable, grouped, bounded, whole after whatever happens. */
@Tag("unit")
final class RegisterJournalTest {
  private static final Act TRACE = Act.of(Kind.SEEN, "trace", Use.HISTORY);

  private final FaultyDisk disk = new FaultyDisk(new FileDisk());
  private final List<String> moved = new ArrayList<>();

  @TempDir Path folder;

  private static RegisterRow row(String id) {
    Span span = new Span(1, 2, 3);
    return RegisterRow.of(id, TRACE, "p-rider", "key", RegisterRig.BASES, span, "node");
  }

  private RegisterJournal open() throws IOException {
    return new RegisterJournal(disk, folder, 100_000);
  }

  private void move(RegisterJournal journal) throws Exception {
    journal.moveTo(rows -> rows.forEach(row -> moved.add(row.id())));
  }

  private List<String> files() throws IOException {
    try (Stream<Path> all = Files.list(folder)) {
      return all.map(one -> one.getFileName().toString()).sorted().toList();
    }
  }

  @Test
  void rows_areWhatTheyWere_alsoAfterAKill() throws Exception {
    RegisterJournal killed = open();
    killed.append(List.of(row("a"), row("b")));
    killed.append(List.of(row("c")));
    RegisterJournal next = open();
    assertThat(next.bytes()).isEqualTo(killed.bytes()).isPositive();
    next.append(List.of(row("d")));
    List<RegisterRow> rows = new ArrayList<>();
    next.moveTo(rows::addAll);
    assertThat(rows).containsExactly(row("a"), row("b"), row("c"), row("d"));
    assertThat(files()).isEmpty();
    assertThat(next.bytes()).isZero();
    move(next);
    assertThat(moved).isEmpty();
  }

  @Test
  void documentsThatFail_loseNothing() throws Exception {
    RegisterJournal journal = open();
    journal.append(List.of(row("a")));
    assertThatThrownBy(
            () ->
                journal.moveTo(
                    _ -> {
                      throw new IOException("away");
                    }))
        .hasMessage("away");
    journal.append(List.of(row("b")));
    move(journal);
    assertThat(moved).containsExactly("a", "b");
  }

  @Test
  void bound_refuses_untilRowsAreMoved() throws Exception {
    RegisterJournal journal = open();
    assertThatThrownBy(
            () -> {
              for (int i = 0; i < 2_000; i++) {
                journal.append(List.of(row("a" + i)));
              }
            })
        .isInstanceOf(IOException.class)
        .hasMessageContaining("privacy.register-waiting-max");
    assertThat(journal.bytes()).isBetween(90_000L, 100_000L);
    move(journal);
    journal.append(List.of(row("b")));
    move(journal);
    assertThat(moved).endsWith("b").hasSizeGreaterThan(500);
  }

  @Test
  void tornEnd_isKept_andAllBeforeItIsMoved() throws Exception {
    open().append(List.of(row("a"), row("b")));
    Path file = folder.resolve("1.rows");
    byte[] whole = Files.readAllBytes(file);
    for (int cut : new int[] {1, 9, whole.length / 2 - 1}) {
      moved.clear();
      Files.write(file, Arrays.copyOf(whole, whole.length - cut));
      move(open());
      assertThat(moved).as("without the last %s bytes", cut).containsExactly("a");
      assertThat(files()).containsExactly("1.torn");
    }
    moved.clear();
    whole[whole.length - 5] ^= 1;
    Files.write(file, whole, StandardOpenOption.CREATE);
    move(open());
    assertThat(moved).as("with a changed byte").containsExactly("a");
  }

  @Test
  void diskThatFails_isSaid_andTheNextRowsAreInAnotherFile() throws Exception {
    RegisterJournal journal = open();
    journal.append(List.of(row("a")));
    for (Operation failing :
        List.of(Operation.WRITE, Operation.FORCE, Operation.CREATE, Operation.FORCE_FOLDER)) {
      move(journal); // so that the next rows begin a file
      disk.set(
          (operation, path) -> {
            if (operation == failing) {
              throw new IOException("no " + operation);
            }
          });
      assertThatThrownBy(() -> journal.append(List.of(row("lost")))).hasMessage("no " + failing);
      disk.set(FaultyDisk.NONE);
      journal.append(List.of(row("after " + failing)));
    }
    move(journal);
    assertThat(moved)
        .as("acknowledged rows; those of a failed fsync may be there, too")
        .contains("a", "after WRITE", "after FORCE", "after CREATE", "after FORCE_FOLDER");
    assertThat(journal.bytes()).isZero();
  }

  /** A disk that is full, or does not force, for long: looks fail, and leave nothing behind. */
  @Test
  void diskThatStaysBad_isNotFilledWithFiles_andWhatWasAcknowledgedIsMoved() throws Exception {
    for (Operation failing : List.of(Operation.WRITE, Operation.FORCE, Operation.FORCE_FOLDER)) {
      open().append(List.of(row("before " + failing)));
      RegisterJournal journal = open();
      disk.set(
          (operation, path) -> {
            if (operation == failing) {
              throw new IOException("no " + operation);
            }
          });
      for (int i = 0; i < 1_000; i++) {
        assertThatThrownBy(() -> journal.append(List.of(row("lost")))).hasMessage("no " + failing);
      }
      assertThat(files()).as(failing.toString()).hasSizeLessThanOrEqualTo(1);
      assertThat(journal.bytes()).isLessThanOrEqualTo(journal.bytesMax());
      disk.set(FaultyDisk.NONE);
      move(journal);
      assertThat(moved).contains("before " + failing);
      assertThat(files()).isEmpty();
    }
  }

  /** The rows of a failed fsync may be in a file, so that its length is not what was counted. */
  @Test
  void rowsBehindAFailedFsync_areMoved_alsoWhereDocumentsFailInBetween() throws Exception {
    RegisterJournal journal = open();
    journal.append(List.of(row("a")));
    disk.set(
        (operation, path) -> {
          if (operation == Operation.FORCE) {
            throw new IOException("no " + operation);
          }
        });
    assertThatThrownBy(() -> journal.append(List.of(row("lost")))).hasMessage("no FORCE");
    disk.set(FaultyDisk.NONE);
    journal.append(List.of(row("b")));
    assertThatThrownBy(
            () ->
                journal.moveTo(
                    rows -> {
                      if (rows.getFirst().id().equals("b")) {
                        throw new IOException("away");
                      }
                    }))
        .hasMessage("away");
    move(journal);
    assertThat(moved).containsExactly("b");
    assertThat(files()).isEmpty();
  }

  @Test
  void manyAtOnce_shareAnFsync() throws Exception {
    AtomicInteger forces = new AtomicInteger();
    CountDownLatch firstForce = new CountDownLatch(1);
    CountDownLatch others = new CountDownLatch(1);
    disk.set(
        (operation, path) -> {
          if (operation == Operation.FORCE && forces.incrementAndGet() == 1) {
            firstForce.countDown();
            try {
              others.await();
            } catch (InterruptedException e) {
              throw new IOException(e);
            }
          }
        });
    RegisterJournal journal = open();
    List<Thread> threads = new ArrayList<>();
    threads.add(append(journal, 0));
    firstForce.await();
    for (int i = 1; i <= 200; i++) {
      threads.add(append(journal, i));
    }
    for (Thread thread : threads.subList(1, threads.size())) {
      while (thread.getState() != Thread.State.WAITING) {
        Thread.onSpinWait();
      }
    }
    others.countDown();
    for (Thread thread : threads) {
      thread.join();
    }
    move(journal);
    assertThat(moved).hasSize(201).doesNotHaveDuplicates();
    assertThat(forces.get()).isEqualTo(2);
  }

  private static Thread append(RegisterJournal journal, int number) {
    return Thread.ofVirtual()
        .start(
            () -> {
              try {
                journal.append(List.of(row("row" + number)));
              } catch (IOException | InterruptedException failed) {
                throw new IllegalStateException(failed);
              }
            });
  }
}
