package gilmok.backup.repository;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import gilmok.backup.repository.BackupManifest.StoredFile;
import gilmok.log.FaultyDisk;
import gilmok.log.FaultyDisk.Operation;
import gilmok.storage.DiskFullException;
import gilmok.storage.FileDisk;
import gilmok.storage.OwnerOnly;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@Tag("unit")
final class BackupRepositoryTest {
  private static final String NODE = "0000000000001";

  @TempDir Path folder;

  private BackupRepository open(@Nullable BackupKey key) throws Exception {
    return BackupRepository.open(BackupRepository.store(place().toString()), NODE, key);
  }

  private Path place() {
    return folder.resolve("place");
  }

  private BackupKey key(String name) throws IOException {
    Path file = folder.resolve(name);
    BackupKey.make(file);
    return BackupKey.read(file);
  }

  private static byte[] random(int bytes) {
    byte[] content = new byte[bytes];
    new Random(bytes).nextBytes(content);
    return content;
  }

  private static BackupManifest manifest(String at, List<String> chunks) {
    return new BackupManifest(
        Instant.parse(at),
        new BackupManifest.Source(NODE, 2, "1", "sqlite"),
        7,
        List.of(new BackupManifest.StoredSegment(1, "a1", 5, true, chunks)),
        List.of(new StoredFile("documents.db", 9, chunks)),
        Map.of("http.port", "8080"));
  }

  private static byte[] get(BackupRepository repository, List<String> chunks) throws Exception {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    repository.get(chunks, out);
    return out.toByteArray();
  }

  private List<Path> objects() throws IOException {
    try (Stream<Path> all = Files.walk(place().resolve(NODE).resolve("objects"))) {
      return all.filter(Files::isRegularFile).sorted().toList();
    }
  }

  @Test
  void placeIsFull_itIsNamed_nothingIsLeft_andWithRoomItGoesOn() throws Exception {
    FaultyDisk disk = new FaultyDisk(new FileDisk());
    disk.set(
        (operation, path) -> {
          if (operation == Operation.FORCE) {
            throw new DiskFullException(new IOException("No space left on device"));
          }
        });
    byte[] content = random(1000);
    ObjectStore store = new FolderStore(place(), disk);
    try (BackupRepository repository = BackupRepository.open(store, NODE, null)) {
      assertThatThrownBy(() -> repository.put(new ByteArrayInputStream(content), content.length))
          .isInstanceOf(FullStoreException.class)
          .hasMessage(place() + " is full (No space left on device)");
      assertThat(objects()).as("a part that no backup will read takes room").isEmpty();

      disk.set(FaultyDisk.NONE);
      List<String> chunks = repository.put(new ByteArrayInputStream(content), content.length);
      assertThat(get(repository, chunks)).isEqualTo(content);
    }
  }

  @Test
  void sameBytes_areStoredOnce_andComeBack_alsoOfSeveralChunks() throws Exception {
    byte[] content = random(BackupRepository.CHUNK_BYTES + 1000);
    try (BackupRepository repository = open(null)) {
      List<String> chunks = repository.put(new ByteArrayInputStream(content), content.length);
      assertThat(chunks).hasSize(2);
      long stored = repository.storedBytes();
      assertThat(repository.put(new ByteArrayInputStream(content), content.length))
          .isEqualTo(chunks);
      assertThat(repository.storedBytes()).isEqualTo(stored);
      assertThat(get(repository, chunks)).isEqualTo(content);
      assertThat(repository.put(new ByteArrayInputStream(content), 0)).isEmpty();
    }
    try (BackupRepository again = open(null)) {
      List<String> chunks = again.put(new ByteArrayInputStream(content), content.length);
      assertThat(again.storedBytes()).as("known after another opening").isZero();
      assertThatThrownBy(() -> again.put(new ByteArrayInputStream(content), content.length + 1))
          .isInstanceOf(EOFException.class);
      again.add(manifest("2026-03-01T01:02:03.004Z", chunks));
      assertThat(again.ids()).containsExactly("20260301T010203Z");
      assertThat(again.manifest("20260301T010203Z"))
          .isEqualTo(manifest("2026-03-01T01:02:03.004Z", chunks));
    }
  }

  @Test
  void encrypted_nothingIsReadable_norReadWithAnotherKey_norAnotherObjectTakenForIt()
      throws Exception {
    byte[] one = "a secret of the data folder".repeat(10).getBytes(StandardCharsets.UTF_8);
    byte[] two = random(100);
    BackupKey key = key("k");
    List<String> first;
    List<String> second;
    try (BackupRepository repository = open(key)) {
      first = repository.put(new ByteArrayInputStream(one), one.length);
      second = repository.put(new ByteArrayInputStream(two), two.length);
      repository.add(manifest("2026-03-01T00:00:00Z", first));
      assertThat(get(repository, first)).isEqualTo(one);
    }
    try (BackupRepository plain = open(null)) {
      assertThat(plain.put(new ByteArrayInputStream(one), one.length))
          .as("the name tells nobody what it is")
          .isNotEqualTo(first);
    }
    try (BackupRepository other = open(key("other"))) {
      assertThatThrownBy(() -> other.manifest("20260301T000000Z"))
          .isInstanceOf(DamagedBackupException.class)
          .hasMessageContaining("another key");
    }
    Path object = path(first);
    byte[] sealed = Files.readAllBytes(object);
    assertThat(new String(sealed, StandardCharsets.ISO_8859_1)).doesNotContain("secret");
    Files.write(object, Files.readAllBytes(path(second)));
    try (BackupRepository repository = open(key)) {
      assertThatThrownBy(() -> get(repository, first)).isInstanceOf(DamagedBackupException.class);
    }
  }

  private Path path(List<String> chunks) {
    String name = chunks.getFirst();
    return place().resolve(NODE).resolve("objects").resolve(name.substring(0, 2)).resolve(name);
  }

  @Test
  void damagedCutAndMissing_areRefused() throws Exception {
    byte[] content = random(1000);
    for (BackupKey key : Arrays.asList(null, key("k"))) {
      try (BackupRepository repository = open(key)) {
        List<String> chunks = repository.put(new ByteArrayInputStream(content), content.length);
        byte[] sound = Files.readAllBytes(path(chunks));
        for (int at = 0; at < sound.length; at += 7) {
          byte[] damaged = sound.clone();
          damaged[at] ^= 4;
          Files.write(path(chunks), damaged);
          assertThatThrownBy(() -> get(repository, chunks))
              .as("byte " + at)
              .isInstanceOf(DamagedBackupException.class);
        }
        for (int length : new int[] {0, 1, 20, sound.length - 1}) {
          Files.write(path(chunks), Arrays.copyOf(sound, length));
          assertThatThrownBy(() -> get(repository, chunks))
              .isInstanceOf(DamagedBackupException.class);
        }
        Files.delete(path(chunks));
        assertThatThrownBy(() -> get(repository, chunks))
            .isInstanceOf(DamagedBackupException.class)
            .hasMessageContaining("is missing");
      }
    }
  }

  @Test
  void prune_keepsWhatTheNewestNeed_andWhatAKilledBackupLeftGoes() throws Exception {
    try (BackupRepository repository = open(null)) {
      List<String> both = repository.put(new ByteArrayInputStream(random(10)), 10);
      List<String> old = repository.put(new ByteArrayInputStream(random(11)), 11);
      repository.put(new ByteArrayInputStream(random(12)), 12); // of a backup that was killed
      repository.add(manifest("2026-03-01T00:00:00Z", List.of(both.getFirst(), old.getFirst())));
      repository.add(manifest("2026-03-02T00:00:00Z", both));
      repository.add(manifest("2026-03-03T00:00:00Z", both));
    }
    try (BackupRepository other = open(null);
        BackupRepository repository = open(null)) {
      List<String> both = repository.put(new ByteArrayInputStream(random(10)), 10);
      List<String> old = repository.put(new ByteArrayInputStream(random(11)), 11);
      List<String> beside = other.put(new ByteArrayInputStream(random(13)), 13);
      assertThat(repository.prune(2)).isOne();
      other.add(manifest("2026-03-04T00:00:00Z", beside)); // begun before, and not harmed
      assertThatThrownBy(() -> other.add(manifest("2026-03-05T00:00:00Z", old)))
          .as("deleted meanwhile")
          .isInstanceOf(DamagedBackupException.class);
      assertThat(repository.ids())
          .containsExactly("20260302T000000Z", "20260303T000000Z", "20260304T000000Z");
      assertThat(objects()).hasSize(2);
      assertThat(repository.has(both)).isTrue();
      assertThat(repository.has(old)).isFalse();
      assertThat(repository.missing(old)).isEqualTo(old);
      repository.put(new ByteArrayInputStream(random(11)), 11);
      assertThat(repository.has(old)).as("stored again").isTrue();
    }
    Path part = place().resolve(NODE).resolve("objects/ab/cd.part");
    Files.createDirectories(part.getParent());
    Files.writeString(part, "half");
    try (BackupRepository repository = open(null)) {
      repository.prune(3);
      assertThat(part).as("somebody may be writing it").exists();
      Files.setLastModifiedTime(part, FileTime.from(Instant.now().minus(Duration.ofDays(2))));
      repository.prune(3);
      assertThat(part).doesNotExist();
    }
  }

  @Test
  void laterFormat_andNoKey_areNamed() throws Exception {
    Path file = folder.resolve("none");
    Files.createFile(file, OwnerOnly.FILE);
    Files.writeString(file, "short");
    assertThatThrownBy(() -> BackupKey.read(file)).hasMessageContaining("is no key for backups");
    Path open = folder.resolve("open");
    BackupKey.make(open);
    Files.setPosixFilePermissions(open, PosixFilePermissions.fromString("rw-r--r--"));
    assertThatThrownBy(() -> BackupKey.read(open)).hasMessageContaining("chmod 600");
    assertThatThrownBy(
            () -> BackupManifest.of("x", "{\"backup\":2}".getBytes(StandardCharsets.UTF_8)))
        .hasMessageContaining("has format 2, this program knows 1");
    assertThatThrownBy(() -> BackupManifest.of("x", "{}".getBytes(StandardCharsets.UTF_8)))
        .hasMessageContaining("is no backup");
    assertThatThrownBy(() -> BackupManifest.of("x", "{".getBytes(StandardCharsets.UTF_8)))
        .hasMessageContaining("is damaged");
    assertThatThrownBy(() -> BackupRepository.store("s3://UPPER"))
        .hasMessageContaining("s3://bucket/prefix");
  }
}
