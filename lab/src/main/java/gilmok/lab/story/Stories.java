package gilmok.lab.story;

import gilmok.lab.story.database.IdsStory;
import gilmok.lab.story.database.InsertsStory;
import gilmok.lab.story.database.PoolAndBatchStory;
import gilmok.lab.story.database.SlowDatabaseStory;
import gilmok.lab.story.experiment.CommandStory;
import gilmok.lab.story.experiment.Story;
import java.util.List;

/** All stories that there are. */
final class Stories {
  static final List<Story> ALL =
      List.of(
          new LoadStory(
              "compute",
              "Indicators were computed for 2 s each on the threads that answer phones; all APIs"
                  + " became slow at once, health checks among them.",
              List.of(StoryWay.COMPUTE_ON_LOOP, StoryWay.COMPUTE_APART),
              new LoadStory.Load(500, 64, 200, "/compute", 0.4),
              "a search every 2.5 seconds, and phones wait for it, or do not"),
          new LoadStory(
              "pool",
              "A pool of ten threads, sized by one processor, was the limit; three times as many"
                  + " gave three times the rate.",
              List.of(StoryWay.POOL_10, StoryWay.POOL_30, StoryWay.POOL_VIRTUAL),
              LoadStory.Load.of(500, 2_000, 200),
              "each request waits 50 ms: ten threads are 200 a second, whatever the processors do"),
          new LoadStory(
              "heap",
              "Three times the memory brought fewer major collections, another cause of them, and"
                  + " fewer peaks of latency.",
              List.of(StoryWay.HEAP_SMALL, StoryWay.HEAP_LARGE),
              LoadStory.Load.of(1_000, 64, 200),
              "the same 25 MB in use, in two heaps"),
          new LoadStory(
              "throwables",
              "At 400 requests a second two processors were full; the stack traces of timeouts and"
                  + " retries were blamed.",
              List.of(StoryWay.REFUSE_THROWING, StoryWay.REFUSE_BY_VALUE),
              LoadStory.Load.of(400, 64, 503),
              "the processor time of a refusal, and what threads were blocked on meanwhile"),
          new LoadStory(
              "log",
              "The neighbour logged each request through a file appender; without it 600 became 800"
                  + " requests a second.",
              List.of(StoryWay.LOG_EACH, StoryWay.LOG_NONE),
              LoadStory.Load.of(4_000, 64, 200),
              "three lines a request, written at once under one lock"),
          new LoadStory(
              "neighbour",
              "The relay was a second service, called in the request, with a timeout and retries.",
              List.of(
                  StoryWay.SLOW_IN_REQUEST,
                  StoryWay.SLOW_BY_OUTBOX,
                  StoryWay.DOWN_IN_REQUEST,
                  StoryWay.DOWN_BY_OUTBOX),
              LoadStory.Load.of(300, 2_000, 200),
              "a neighbour that takes 400 ms, and one that is not there"),
          new SqueezeStory(),
          new InsertsStory(1_000, 5),
          new IdsStory(100_000, List.of(40, 300, 1_000), 300),
          new SlowDatabaseStory(List.of(0, 20, 100), 500, 4),
          new PoolAndBatchStory(1_000, 8),
          new CommandStory(
              "sink-call",
              "Each request waited for a call of the stream of its own, by fifty connections.",
              List.of("ship", "--only", "SLOW", "--rounds", "1")),
          new CommandStory(
              "processor",
              "The container asked for 0.3 of a processor, and nobody noticed what Java made of"
                  + " it.",
              List.of("start", "--only", "POD", "--few-starts", "1", "--starts", "1")),
          new CommandStory(
              "cache",
              "Whole results in the cache cost 500 MiB/s of network; compressed, at another level,"
                  + " and only what varies, 95. A lock that slept 10 ms, and a longer lifetime,"
                  + " changed nothing.",
              List.of("missions", "--only", "STEPS")),
          new CommandStory(
              "stampede",
              "At each expiry all requests loaded at once.",
              List.of("missions", "--only", "EXPIRY", "--pairs", "1")),
          new CommandStory(
              "cold-start",
              "The first request after a start took 1,379 ms; calls of the API, of methods and both"
                  + " were tried.",
              List.of("start", "--only", "WAYS", "--few-starts", "1")),
          new CommandStory(
              "mapping",
              "1,000 documents cost the database 5 ms, and then a whole processor to become"
                  + " objects.",
              List.of("statements", "--only", "WAYS")));

  private Stories() {}
}
