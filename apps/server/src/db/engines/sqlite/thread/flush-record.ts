import { openSync, readSync, writeSync } from 'node:fs'

/** Offsets in the wal-index, in native byte order: https://www.sqlite.org/walformat.html#the_wal_index_file_format */
const at = { pageSize: 14, frames: 16, backfilled: 96 }
const logHead = 32
const frameHead = 24

/**
 * Supports the power failure test: after each commit it records, next to the file, how much of the write-ahead log is
 * certainly on disk. A commit without flush may be lost unless a checkpoint has moved it since.
 */
export const makeFlushRecorder = (file: string): ((isFlushed: boolean) => void) => {
  const head = Buffer.alloc(at.backfilled + 4)
  const notes = openSync(`${file}.flushed`, 'w')
  let safe = 0
  // Never closed: closing it would release all POSIX locks of the process on this file, including those of SQLite. The
  // next process would then treat the database as unused and truncate the index.
  let index: number | undefined
  return isFlushed => {
    index ??= openSync(`${file}-shm`, 'r')
    readSync(index, head, 0, head.length, 0)
    const frames = head.readUInt32LE(at.frames)
    const backfilled = head.readUInt32LE(at.backfilled)
    // Fewer frames than before: the log was restarted.
    if (isFlushed) safe = frames
    else safe = frames < safe ? backfilled : Math.max(safe, backfilled)
    const frameSize = head.readUInt16LE(at.pageSize) + frameHead
    const size = safe === 0 ? 0 : logHead + safe * frameSize
    // One write of fixed length, so that a kill leaves the old or the new value.
    writeSync(notes, String(size).padStart(15), 0)
  }
}
