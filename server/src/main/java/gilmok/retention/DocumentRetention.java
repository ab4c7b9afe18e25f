package gilmok.retention;

import java.time.Duration;
import java.util.function.Supplier;

/**
 * How long documents of a kind are kept, and what becomes of them.
 *
 * @param kind of the documents, as metrics and the archive name it
 * @param keep how long they are kept; zero: for ever. Asked for again and again, as a reload may
 *     change it
 * @param rests after a step it rests this many times as long as that took
 * @param archive where they go before they are removed
 * @param removal takes them out of the store
 * @param <T> a document
 */
public record DocumentRetention<T extends OldDocument>(
    String kind,
    Supplier<Duration> keep,
    int rests,
    DocumentArchive<T> archive,
    DocumentRemoval<T> removal) {}
