package gilmok.backup.repository;

import gilmok.storage.OwnerOnly;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.security.GeneralSecurityException;
import java.security.SecureRandom;
import java.util.Arrays;
import java.util.Base64;
import java.util.Set;
import javax.crypto.AEADBadTagException;
import javax.crypto.Cipher;
import javax.crypto.Mac;
import javax.crypto.spec.GCMParameterSpec;
import javax.crypto.spec.SecretKeySpec;

/**
 * The key of encrypted backups: 64 random bytes, in Base64, in a file. The first half encrypts, by
 * AES-256-GCM of the JDK; the other half names chunks, so that nobody without it can tell whether a
 * known file is among them. Thread-safe.
 */
public final class BackupKey {
  private static final int BYTES = 64;
  private static final int NONCE_BYTES = 12;
  private static final int TAG_BITS = 128;

  private final SecretKeySpec sealing;
  private final SecretKeySpec naming;
  private final SecureRandom random = new SecureRandom();

  private BackupKey(byte[] bytes) {
    sealing = new SecretKeySpec(bytes, 0, BYTES / 2, "AES");
    naming = new SecretKeySpec(bytes, BYTES / 2, BYTES / 2, "HmacSHA256");
  }

  /** Writes a new key into a file that is not there yet, for its owner alone. */
  public static void make(Path file) throws IOException {
    byte[] bytes = new byte[BYTES];
    new SecureRandom().nextBytes(bytes);
    Files.createFile(file, OwnerOnly.FILE);
    Files.writeString(
        file, Base64.getEncoder().encodeToString(bytes) + "\n", StandardOpenOption.WRITE);
  }

  /**
   * The key in a file.
   *
   * @throws IOException when it cannot be read or is none
   */
  public static BackupKey read(Path file) throws IOException {
    Set<?> open = Files.getPosixFilePermissions(file);
    if (!OwnerOnly.FILE.value().containsAll(open)) {
      throw new IOException(file + " can be read by others: chmod 600 " + file);
    }
    try {
      String text = Files.readString(file, StandardCharsets.ISO_8859_1).strip();
      byte[] bytes = Base64.getDecoder().decode(text);
      if (bytes.length == BYTES) {
        return new BackupKey(bytes);
      }
    } catch (IllegalArgumentException noBase64) {
      // Reported below.
    }
    throw new IOException(file + " is no key for backups: gilmok backup --new-key FILE makes one");
  }

  /** What a chunk of that SHA-256 is called. */
  byte[] name(byte[] sha256) {
    try {
      Mac mac = Mac.getInstance("HmacSHA256");
      mac.init(naming);
      return mac.doFinal(sha256);
    } catch (GeneralSecurityException unknown) {
      throw new IllegalStateException(unknown);
    }
  }

  /**
   * Encrypts an object.
   *
   * @param name authenticated with it
   */
  byte[] seal(String name, byte[] plain) {
    byte[] nonce = new byte[NONCE_BYTES];
    random.nextBytes(nonce);
    try {
      Cipher cipher = Cipher.getInstance("AES/GCM/NoPadding");
      cipher.init(Cipher.ENCRYPT_MODE, sealing, new GCMParameterSpec(TAG_BITS, nonce));
      cipher.updateAAD(name.getBytes(StandardCharsets.UTF_8));
      byte[] sealed = Arrays.copyOf(nonce, NONCE_BYTES + cipher.getOutputSize(plain.length));
      int length = cipher.doFinal(plain, 0, plain.length, sealed, NONCE_BYTES);
      return Arrays.copyOf(sealed, NONCE_BYTES + length);
    } catch (GeneralSecurityException unknown) {
      throw new IllegalStateException(unknown);
    }
  }

  /**
   * Decrypts an object.
   *
   * @throws DamagedBackupException when it was made with another key or name, or is damaged
   */
  byte[] open(String name, byte[] sealed) throws DamagedBackupException {
    if (sealed.length < NONCE_BYTES + TAG_BITS / Byte.SIZE) {
      throw new DamagedBackupException(name, "is cut short");
    }
    try {
      Cipher cipher = Cipher.getInstance("AES/GCM/NoPadding");
      cipher.init(
          Cipher.DECRYPT_MODE, sealing, new GCMParameterSpec(TAG_BITS, sealed, 0, NONCE_BYTES));
      cipher.updateAAD(name.getBytes(StandardCharsets.UTF_8));
      return cipher.doFinal(sealed, NONCE_BYTES, sealed.length - NONCE_BYTES);
    } catch (AEADBadTagException wrong) {
      throw new DamagedBackupException(name, "is damaged, or was encrypted with another key");
    } catch (GeneralSecurityException unknown) {
      throw new IllegalStateException(unknown);
    }
  }
}
