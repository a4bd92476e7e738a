-- Output is kept compressed and within bounds: each piece says which part of what was printed it is.

ALTER TABLE transcript
  ADD COLUMN from_byte BIGINT NOT NULL COMMENT 'where it begins in what the attempt has printed; our own words do not count'
  AFTER at,
  ADD COLUMN size      INT    NOT NULL COMMENT 'bytes of the text; body is shorter when it is compressed (zlib)'
  AFTER from_byte;

UPDATE transcript
JOIN (SELECT id, LENGTH(body) AS size,
             SUM(LENGTH(body)) OVER (PARTITION BY task_id, attempt, stream = 'note' ORDER BY id) - LENGTH(body) AS from_byte
      FROM transcript) AS counted ON counted.id = transcript.id
SET transcript.from_byte = counted.from_byte, transcript.size = counted.size;
