package gilmok.http;

import io.netty.bootstrap.ServerBootstrap;
import io.vertx.core.VertxOptions;
import io.vertx.core.file.FileSystemOptions;
import io.vertx.core.impl.transports.EpollTransport;
import io.vertx.core.impl.transports.NioTransport;
import io.vertx.core.net.TcpConfig;
import io.vertx.core.spi.transport.Transport;
import java.io.IOException;
import java.util.concurrent.TimeUnit;

/** Chooses the system calls by which a listener waits for its sockets: epoll, or Java's own. */
final class HttpTransport {
  private HttpTransport() {}

  /** The transport that the settings ask for, whose sockets a limiter watches. */
  static Transport of(HttpConfig config, ConnectionLimiter limiter) throws IOException {
    Transport epoll =
        new EpollTransport() {
          @Override
          public void configure(TcpConfig tcp, boolean domainSocket, ServerBootstrap bootstrap) {
            super.configure(tcp, domainSocket, bootstrap);
            bootstrap.handler(limiter);
          }
        };
    if (config.transport() != HttpConfig.Transport.NIO && epoll.isAvailable()) {
      return epoll;
    }
    if (config.transport() == HttpConfig.Transport.EPOLL) {
      throw new IOException("http.transport: epoll is not to be had on this machine");
    }
    return new NioTransport() {
      @Override
      public void configure(TcpConfig tcp, boolean domainSocket, ServerBootstrap bootstrap) {
        super.configure(tcp, domainSocket, bootstrap);
        bootstrap.handler(limiter);
      }
    };
  }

  /** Event loops and little else, as nothing here blocks. */
  static VertxOptions options(HttpConfig config) {
    return new VertxOptions()
        .setEventLoopPoolSize(config.loops())
        .setWorkerPoolSize(1)
        .setInternalBlockingPoolSize(2)
        .setBlockedThreadCheckInterval(TimeUnit.DAYS.toNanos(1)) // LoopStalls does it
        .setBlockedThreadCheckIntervalUnit(TimeUnit.NANOSECONDS)
        .setFileSystemOptions(
            new FileSystemOptions()
                .setFileCachingEnabled(false)
                .setClassPathResolvingEnabled(false));
  }
}
