package gilmok.lab.start;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.util.Base64;
import java.util.List;

/**
 * A self-signed certificate for a server of the laboratory, made by Java's {@code keytool}.
 *
 * @param certificate its PEM file
 * @param key the PEM file of its key
 */
record LabCertificate(Path certificate, Path key) {
  private static final char[] PASSWORD = "laboratory".toCharArray();
  private static final int LINE = 64;

  /** Makes one in a folder. */
  static LabCertificate in(Path folder) throws IOException, InterruptedException {
    Path store = folder.resolve("tls.p12");
    Files.deleteIfExists(store);
    String password = new String(PASSWORD);
    Process made =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "keytool").toString(),
                "-genkeypair",
                "-alias",
                "server",
                "-keyalg",
                "EC",
                "-groupname",
                "secp256r1",
                "-dname",
                "CN=laboratory",
                "-validity",
                "30",
                "-storetype",
                "PKCS12",
                "-keystore",
                store.toString(),
                "-storepass",
                password)
            .redirectErrorStream(true)
            .start();
    String said = new String(made.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    if (made.waitFor() != 0) {
      throw new IOException("keytool: " + said);
    }
    try (InputStream in = Files.newInputStream(store)) {
      KeyStore keys = KeyStore.getInstance("PKCS12");
      keys.load(in, PASSWORD);
      Path certificate = folder.resolve("tls.crt");
      Path key = folder.resolve("tls.key");
      Files.writeString(
          certificate, pem("CERTIFICATE", keys.getCertificate("server").getEncoded()));
      Files.writeString(key, pem("PRIVATE KEY", keys.getKey("server", PASSWORD).getEncoded()));
      return new LabCertificate(certificate, key);
    } catch (GeneralSecurityException e) {
      throw new IOException(e);
    }
  }

  private static String pem(String what, byte[] der) {
    String text = Base64.getMimeEncoder(LINE, new byte[] {'\n'}).encodeToString(der);
    return "-----BEGIN " + what + "-----\n" + text + "\n-----END " + what + "-----\n";
  }

  /** The settings of a server that shows it. */
  List<String> settings() {
    return List.of("--set", "tls.certificate=" + certificate, "--set", "tls.key=" + key);
  }
}
