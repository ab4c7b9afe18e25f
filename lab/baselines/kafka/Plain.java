import io.netty.bootstrap.ServerBootstrap;
import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.SimpleChannelInboundHandler;
import io.netty.channel.epoll.EpollIoHandler;
import io.netty.channel.epoll.EpollServerSocketChannel;
import io.netty.handler.codec.http.DefaultFullHttpResponse;
import io.netty.handler.codec.http.FullHttpRequest;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpObjectAggregator;
import io.netty.handler.codec.http.HttpResponseStatus;
import io.netty.handler.codec.http.HttpServerCodec;
import io.netty.handler.codec.http.HttpVersion;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.serialization.ByteArraySerializer;

/**
 * The least that answers 202 after acks=all: a body becomes a record as it is, and the answer
 * leaves when Kafka has it. No key of the API, no JSON, no log, no repeats, no receipt, no order of
 * riders.
 *
 * <p>java -cp CLASSES Plain.java PORT BOOTSTRAP-SERVERS TOPIC
 */
public final class Plain {
  private Plain() {}

  public static void main(String[] arguments) throws InterruptedException {
    KafkaProducer<byte[], byte[]> producer =
        new KafkaProducer<>(
            Map.of(
                "bootstrap.servers", arguments[1],
                "acks", "all",
                "batch.size", 128 << 10,
                "linger.ms", 2,
                "compression.type", "lz4"),
            new ByteArraySerializer(),
            new ByteArraySerializer());
    Channel server =
        new ServerBootstrap()
            .group(new MultiThreadIoEventLoopGroup(2, EpollIoHandler.newFactory()))
            .channel(EpollServerSocketChannel.class)
            .childHandler(
                new ChannelInitializer<Channel>() {
                  @Override
                  protected void initChannel(Channel channel) {
                    channel
                        .pipeline()
                        .addLast(
                            new HttpServerCodec(),
                            new HttpObjectAggregator(1 << 20),
                            new Handler(producer, arguments[2]));
                  }
                })
            .bind("127.0.0.1", Integer.parseInt(arguments[0]))
            .sync()
            .channel();
    new PrintWriter(new FileOutputStream(FileDescriptor.out), true).println("ready");
    server.closeFuture().sync();
  }

  private static final class Handler extends SimpleChannelInboundHandler<FullHttpRequest> {
    private static final byte[] ACCEPTED =
        "{\"accepted\":1}".getBytes(StandardCharsets.US_ASCII);

    private final KafkaProducer<byte[], byte[]> producer;
    private final String topic;

    Handler(KafkaProducer<byte[], byte[]> producer, String topic) {
      this.producer = producer;
      this.topic = topic;
    }

    @Override
    protected void channelRead0(ChannelHandlerContext context, FullHttpRequest request) {
      byte[] body = new byte[request.content().readableBytes()];
      request.content().readBytes(body);
      producer.send(
          new ProducerRecord<>(topic, body),
          (_, failure) -> context.writeAndFlush(answer(failure), context.voidPromise()));
    }

    private static DefaultFullHttpResponse answer(Exception failure) {
      DefaultFullHttpResponse answer =
          new DefaultFullHttpResponse(
              HttpVersion.HTTP_1_1,
              failure == null
                  ? HttpResponseStatus.ACCEPTED
                  : HttpResponseStatus.SERVICE_UNAVAILABLE,
              Unpooled.wrappedBuffer(ACCEPTED));
      answer.headers().set(HttpHeaderNames.CONTENT_LENGTH, ACCEPTED.length);
      return answer;
    }
  }
}
