// Prints the SHA-256 of what Go's decoders make of an answer: one line for each, "name hash".
// The one argument is the server's address; it answers /gzip and /zstd in those codings.
package main

import (
	"compress/gzip"
	"crypto/sha256"
	"fmt"
	"io"
	"log"
	"net/http"
	"os"

	"github.com/klauspost/compress/zstd"
)

func main() {
	server := os.Args[1]
	// The transport asks for gzip, and unpacks it, when nobody else said what to accept.
	plain := ask(server+"/gzip", "")
	if !plain.Uncompressed {
		log.Fatal("net/http did not unpack")
	}
	print("net/http", plain.Body)
	unzipped, err := gzip.NewReader(ask(server+"/gzip", "gzip").Body)
	must(err)
	print("compress/gzip", unzipped)
	frames, err := zstd.NewReader(ask(server+"/zstd", "zstd").Body, zstd.WithDecoderMaxWindow(8<<20))
	must(err)
	print("klauspost/zstd", frames)
}

func ask(url, coding string) *http.Response {
	request, err := http.NewRequest("GET", url, nil)
	must(err)
	if coding != "" {
		request.Header.Set("Accept-Encoding", coding)
	}
	response, err := http.DefaultClient.Do(request)
	must(err)
	return response
}

func print(name string, body io.Reader) {
	hash := sha256.New()
	_, err := io.Copy(hash, body)
	must(err)
	fmt.Printf("%s %x\n", name, hash.Sum(nil))
}

func must(err error) {
	if err != nil {
		log.Fatal(err)
	}
}
