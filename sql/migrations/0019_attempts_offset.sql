-- The column's name says what it is: attempts that do not count against the limit.
ALTER TABLE task RENAME COLUMN forgiven TO attempts_offset;
