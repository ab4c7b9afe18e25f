package gilmok.lab.fleet;

import io.netty.bootstrap.Bootstrap;
import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelFutureListener;
import io.netty.channel.ChannelHandler.Sharable;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.SimpleChannelInboundHandler;
import io.netty.handler.codec.http.DefaultFullHttpRequest;
import io.netty.handler.codec.http.FullHttpRequest;
import io.netty.handler.codec.http.FullHttpResponse;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpMethod;
import io.netty.handler.codec.http.HttpUtil;
import io.netty.handler.codec.http.HttpVersion;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/**
 * A connection to the server with at most one request in flight; it reconnects when it is lost.
 * Owned by the sender's event loop.
 */
@Sharable
final class Line extends SimpleChannelInboundHandler<FullHttpResponse> {
  private final Owner owner;
  private final String hostHeader;
  private @Nullable Channel channel;
  private boolean connecting;
  private boolean asked;
  private long askedMillis;

  /** Receives the events of a connection. */
  interface Owner {
    /** The connection is ready for a request. */
    void open(Line line);

    /**
     * A response has arrived; the connection is ready again, unless it was lost meanwhile.
     *
     * @param retryAfterSeconds the response's Retry-After; 0 for none
     */
    void answered(Line line, int status, String body, int retryAfterSeconds);

    /** The connection was lost, and with it the response to the request in flight. */
    void lost(Line line, boolean wasAsked);
  }

  Line(Owner owner, FleetTarget target) {
    this.owner = owner;
    this.hostHeader = target.host() + ":" + target.port();
  }

  boolean isUnused() {
    return channel == null && !connecting;
  }

  boolean isOpen() {
    return channel != null;
  }

  /** Whether a response has been outstanding for longer than this. */
  boolean isSilentSince(long millis) {
    return asked && askedMillis < millis;
  }

  void connect(Bootstrap bootstrap, FleetTarget target) {
    connecting = true;
    bootstrap
        .connect(target.host(), target.port())
        .addListener(
            (ChannelFutureListener)
                future -> {
                  if (!future.isSuccess() && connecting) {
                    connecting = false;
                    owner.lost(this, false);
                  }
                });
  }

  void ask(Message message, long nowMillis) {
    Channel open = channel;
    if (open == null || asked) {
      throw new IllegalStateException("not connected, or waiting");
    }
    byte[] body = message.body().getBytes(StandardCharsets.UTF_8);
    FullHttpRequest request =
        new DefaultFullHttpRequest(
            HttpVersion.HTTP_1_1,
            HttpMethod.valueOf(message.method()),
            message.path(),
            Unpooled.wrappedBuffer(body));
    request.headers().set(HttpHeaderNames.HOST, hostHeader);
    request.headers().set(message.header(), message.credential());
    if (!message.type().isEmpty()) {
      request.headers().set(HttpHeaderNames.CONTENT_TYPE, message.type());
      request.headers().set(HttpHeaderNames.CONTENT_LENGTH, body.length);
    }
    asked = true;
    askedMillis = nowMillis;
    ChannelFuture written = open.writeAndFlush(request);
    var _ = written.addListener(ChannelFutureListener.CLOSE_ON_FAILURE);
  }

  void close() {
    if (channel != null) {
      var _ = channel.close();
    }
  }

  @Override
  public void channelActive(ChannelHandlerContext context) {
    connecting = false;
    channel = context.channel();
    owner.open(this);
  }

  @Override
  protected void channelRead0(ChannelHandlerContext context, FullHttpResponse response) {
    if (!asked) {
      var _ = context.close();
      return;
    }
    asked = false;
    if (!HttpUtil.isKeepAlive(response)) {
      channel = null;
      var _ = context.close();
    }
    String after = response.headers().get(HttpHeaderNames.RETRY_AFTER, "0");
    owner.answered(
        this,
        response.status().code(),
        response.content().toString(StandardCharsets.UTF_8),
        after.matches("\\d{1,5}") ? Integer.parseInt(after) : 0);
  }

  @Override
  public void channelInactive(ChannelHandlerContext context) {
    boolean wasAsked = asked;
    asked = false;
    channel = null;
    connecting = false;
    owner.lost(this, wasAsked);
  }

  @Override
  public void exceptionCaught(ChannelHandlerContext context, Throwable cause) {
    // After any error the connection cannot be used; the loss is counted when it is closed.
    var _ = context.close();
  }
}
