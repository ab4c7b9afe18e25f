package gilmok.lab.firehose;

import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpClient;
import io.vertx.core.http.HttpClientOptions;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.HttpResponseExpectation;
import java.net.URI;
import java.util.Base64;

/** Forwards accepted records to another stand-in, which stores them. */
final class Handover {
  private static final int CONNECT_MILLIS_MAX = 5_000;

  private final HttpClient client;

  Handover(Vertx vertx, URI target) {
    client =
        vertx.createHttpClient(
            new HttpClientOptions()
                .setDefaultHost(target.getHost())
                .setDefaultPort(target.getPort())
                .setConnectTimeout(CONNECT_MILLIS_MAX));
  }

  /** Puts the records; the future fails if they were not accepted. */
  Future<Buffer> put(Call call, String authorization) {
    StringBuilder json = new StringBuilder("{\"DeliveryStreamName\":\"");
    json.append(call.stream()).append("\",\"Records\":[");
    for (int i = 0; i < call.records().size(); i++) {
      json.append(i == 0 ? "" : ",").append("{\"Data\":\"");
      json.append(Base64.getEncoder().encodeToString(call.records().get(i))).append("\"}");
    }
    Buffer body = Buffer.buffer(json.append("]}").toString());
    return client
        .request(HttpMethod.POST, "/")
        .compose(
            request ->
                request
                    .putHeader("Authorization", authorization)
                    .putHeader("Content-Type", "application/x-amz-json-1.1")
                    .putHeader("X-Amz-Target", "Firehose_20150804.PutRecordBatch")
                    .send(body))
        .expecting(HttpResponseExpectation.SC_OK)
        .compose(response -> response.body());
  }
}
