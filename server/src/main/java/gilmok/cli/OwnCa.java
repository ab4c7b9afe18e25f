package gilmok.cli;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.cert.Certificate;
import java.security.cert.CertificateFactory;
import java.util.Collection;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManagerFactory;

/** TLS that trusts the certificates of one PEM file and no others, as curl's {@code --cacert}. */
final class OwnCa {
  private OwnCa() {}

  /**
   * A TLS context that trusts those certificates.
   *
   * @throws CommandFailure when the file cannot be read, or holds no certificate
   */
  static SSLContext trusting(Path file) {
    try (InputStream in = Files.newInputStream(file)) {
      Collection<? extends Certificate> all =
          CertificateFactory.getInstance("X.509").generateCertificates(in);
      if (all.isEmpty()) {
        throw new CommandFailure(file + " holds no certificate; --ca wants a PEM file");
      }
      KeyStore trusted = KeyStore.getInstance(KeyStore.getDefaultType());
      trusted.load(null, null);
      int number = 0;
      for (Certificate one : all) {
        trusted.setCertificateEntry("ca-" + number++, one);
      }
      TrustManagerFactory trust =
          TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
      trust.init(trusted);
      SSLContext tls = SSLContext.getInstance("TLS");
      tls.init(null, trust.getTrustManagers(), null);
      return tls;
    } catch (IOException unreadable) {
      throw new CommandFailure(file + " cannot be read: " + unreadable.getMessage());
    } catch (GeneralSecurityException unusable) {
      throw new CommandFailure(
          file + " holds no certificate that can be used: " + unusable.getMessage());
    }
  }
}
