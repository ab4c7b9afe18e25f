# Gilmok in a container. CI has no engine: DockerfileIT runs these steps as a script in a folder, without
# the base images, the network and the users. Say so when you report a fault here.
#
#   docker build -t gilmok --build-arg BUILD="-Dgilmok.commit=$(git rev-parse HEAD)" .
#   docker run -p 8080:8080 -v gilmok:/data gilmok
#
# The admin key is made at the first start: docker exec <container> cat /data/admin.key

FROM maven:3-eclipse-temurin-25 AS build
WORKDIR /src
# The dependencies first, as they change less often than the sources.
COPY pom.xml ./
COPY .mvn .mvn
COPY server/pom.xml server/
COPY lab/pom.xml lab/
RUN mvn -q -B -ntp -pl server dependency:go-offline
COPY server/src/main server/src/main
# For Maven: of which commit it is, as there is no git here; a release's has -Drevision=1.2.3, too.
ARG BUILD=
RUN mvn -q -B -ntp -pl server -Dmaven.test.skip=true -Dspotless.check.skip=true $BUILD package

# What runs. A base of its own, as the cache must be made by the very Java and jar that use it: the
# JDK of the stage above has other modules, and Java would refuse the cache.
FROM eclipse-temurin:25-jre AS runtime
RUN groupadd --system --gid 10001 gilmok \
 && useradd --system --uid 10001 --gid gilmok --home-dir /data --shell /usr/sbin/nologin gilmok \
 && install -d -o gilmok -g gilmok -m 700 /data
COPY --from=build /src/server/target/gilmok-all.jar /opt/gilmok/gilmok-all.jar
# Clients of engines that only some servers need. To leave them out: delete the folder.
COPY --from=build /src/server/target/packs /opt/gilmok/packs

# Trains the AOT cache: starts, is asked everything by its own warm-up, and stops; about a
# minute. The options are those of the ENTRYPOINT, but for the heap: it is a number here, as a share
# of a large machine's memory would be a heap of another kind (see docs/running.md).
#
# For an agent, as an APM's: --build-arg AGENT=--add-modules=java.instrument, and run it with
# JAVA_TOOL_OPTIONS=-javaagent:/its.jar; with an agent, Java takes no other cache.
FROM runtime AS trained
ARG AGENT=
RUN java $AGENT -XX:AOTCacheOutput=/opt/gilmok/gilmok.aot \
      -Xlog:disable -Xlog:all=error:stderr \
      -Xmx512m -XX:+UseG1GC -XX:+UseTransparentHugePages -XX:+ExitOnOutOfMemoryError \
      -XX:Tier3DelayOn=10000 -XX:Tier4LoadFeedback=1000 -XX:CICompilerCount=3 \
      --enable-native-access=ALL-UNNAMED --sun-misc-unsafe-memory-access=allow \
      -Dstdout.encoding=UTF-8 -Dstderr.encoding=UTF-8 \
      -jar /opt/gilmok/gilmok-all.jar \
      serve --until-ready --port 0 --data /tmp/training --set http.host=127.0.0.1 \
      --set warm-up.limit=30s \
 && test -s /opt/gilmok/gilmok.aot

FROM runtime
COPY --from=trained /opt/gilmok/gilmok.aot /opt/gilmok/gilmok.aot
USER 10001:10001
WORKDIR /data
VOLUME /data
EXPOSE 8080
# Alive, not ready: a server that warms up or drains is not to be killed for it. An orchestrator
# asks /health/ready by itself.
HEALTHCHECK --interval=10s --timeout=3s --start-period=20s --retries=3 \
  CMD ["curl", "-fsS", "-o", "/dev/null", "http://127.0.0.1:8080/health/live"]
# Exec form: the program is process 1 and hears the signals. -Xmx can be set by JAVA_TOOL_OPTIONS.
ENTRYPOINT ["java", "-XX:AOTCache=/opt/gilmok/gilmok.aot", "-Xlog:disable", "-Xlog:all=warning:stderr", \
  "-XX:MaxRAMPercentage=50", "-XX:Tier3DelayOn=10000", "-XX:Tier4LoadFeedback=1000", "-XX:CICompilerCount=3", "-XX:+UseG1GC", "-XX:+UseTransparentHugePages", "-XX:+ExitOnOutOfMemoryError", \
  "--enable-native-access=ALL-UNNAMED", "--sun-misc-unsafe-memory-access=allow", \
  "-Dstdout.encoding=UTF-8", "-Dstderr.encoding=UTF-8", \
  "-cp", "/opt/gilmok/gilmok-all.jar:/opt/gilmok/packs/*", "gilmok.process.Main"]
# All of the container's addresses: at its own loopback nobody outside would reach it.
CMD ["serve", "--port", "8080", "--data", "/data", "--set", "http.host=0.0.0.0"]
