/**
 * What missions are to reach, measured: their answers beside the same made anew for each request,
 * an expiry under load, Redis' traffic and its absence, and the story's steps one by one.
 */
@NullMarked
package gilmok.lab.missions;

import org.jspecify.annotations.NullMarked;
