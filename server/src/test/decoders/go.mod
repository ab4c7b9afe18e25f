module gilmok.example/decode

go 1.19

require github.com/klauspost/compress v1.17.4
