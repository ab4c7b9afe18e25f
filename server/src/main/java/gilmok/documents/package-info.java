/**
 * Where documents are kept: connections, indexes, and what codecs are written with. What a document
 * is, and when it changes, is the matter of the feature it belongs to.
 */
@NullMarked
package gilmok.documents;

import org.jspecify.annotations.NullMarked;
