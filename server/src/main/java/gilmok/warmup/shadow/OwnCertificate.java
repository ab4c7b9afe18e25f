package gilmok.warmup.shadow;

import java.io.IOException;
import java.io.InputStream;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.cert.Certificate;
import java.security.cert.CertificateException;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.TrustManager;
import javax.net.ssl.X509ExtendedTrustManager;

/**
 * Trusts one certificate, whatever its name and whoever issued it, and no other. With it a server
 * asks itself on loopback: its certificate names a domain, and often an issuer that only phones
 * know.
 */
public final class OwnCertificate extends X509ExtendedTrustManager {
  private final Certificate own;

  private OwnCertificate(Certificate own) {
    this.own = own;
  }

  /**
   * What a client needs to trust the first certificate of a PEM file.
   *
   * @throws IOException when the file cannot be read or has no certificate
   */
  public static SSLContext trusted(Path pem) throws IOException {
    try (InputStream in = Files.newInputStream(pem)) {
      Certificate own = CertificateFactory.getInstance("X.509").generateCertificate(in);
      SSLContext context = SSLContext.getInstance("TLS");
      context.init(null, new TrustManager[] {new OwnCertificate(own)}, null);
      return context;
    } catch (GeneralSecurityException e) {
      throw new IOException(pem + ": " + e.getMessage(), e);
    }
  }

  private void check(X509Certificate[] chain) throws CertificateException {
    if (chain.length == 0 || !chain[0].equals(own)) {
      throw new CertificateException("another certificate than the server's own");
    }
  }

  @Override
  public void checkServerTrusted(X509Certificate[] chain, String kind) throws CertificateException {
    check(chain);
  }

  @Override
  public void checkServerTrusted(X509Certificate[] chain, String kind, Socket socket)
      throws CertificateException {
    check(chain);
  }

  @Override
  public void checkServerTrusted(X509Certificate[] chain, String kind, SSLEngine engine)
      throws CertificateException {
    check(chain);
  }

  @Override
  public void checkClientTrusted(X509Certificate[] chain, String kind) throws CertificateException {
    throw new CertificateException("clients show none");
  }

  @Override
  public void checkClientTrusted(X509Certificate[] chain, String kind, Socket socket)
      throws CertificateException {
    throw new CertificateException("clients show none");
  }

  @Override
  public void checkClientTrusted(X509Certificate[] chain, String kind, SSLEngine engine)
      throws CertificateException {
    throw new CertificateException("clients show none");
  }

  @Override
  public X509Certificate[] getAcceptedIssuers() {
    return new X509Certificate[0];
  }
}
