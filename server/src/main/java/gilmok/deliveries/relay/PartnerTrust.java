package gilmok.deliveries.relay;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.cert.Certificate;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.util.ArrayList;
import java.util.List;
import javax.net.ssl.TrustManager;
import javax.net.ssl.TrustManagerFactory;
import javax.net.ssl.X509TrustManager;
import org.jspecify.annotations.Nullable;

/** The authorities whose certificates partners may have: the JDK's, and those of one PEM file. */
final class PartnerTrust {
  private PartnerTrust() {}

  /**
   * Trusts the file's authorities beside the JDK's.
   *
   * @throws IOException when the file cannot be read or holds no certificate; the message names it
   */
  static X509TrustManager beside(Path file) throws IOException {
    try (InputStream in = Files.newInputStream(file)) {
      List<Certificate> all =
          new ArrayList<>(CertificateFactory.getInstance("X.509").generateCertificates(in));
      if (all.isEmpty()) {
        throw new IOException(file + " holds no certificate; it must be a PEM file");
      }
      for (X509Certificate one : x509(null).getAcceptedIssuers()) {
        all.add(one);
      }
      KeyStore trusted = KeyStore.getInstance(KeyStore.getDefaultType());
      trusted.load(null, null);
      for (int i = 0; i < all.size(); i++) {
        trusted.setCertificateEntry("ca-" + i, all.get(i));
      }
      return x509(trusted);
    } catch (NoSuchFileException missing) {
      throw new IOException("no file " + file, missing);
    } catch (AccessDeniedException denied) {
      throw new IOException(file + " may not be read by this user", denied);
    } catch (GeneralSecurityException unusable) {
      throw new IOException(
          file + " holds no certificate that can be used: " + unusable.getMessage(), unusable);
    }
  }

  private static X509TrustManager x509(@Nullable KeyStore store) throws GeneralSecurityException {
    TrustManagerFactory factory =
        TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
    factory.init(store);
    for (TrustManager one : factory.getTrustManagers()) {
      if (one instanceof X509TrustManager found) {
        return found;
      }
    }
    throw new GeneralSecurityException("the JDK has no X.509 trust manager");
  }
}
