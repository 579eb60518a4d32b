import { openSync, readSync, writeSync } from 'node:fs'

/** The wal-index, in the machine's own order of bytes: https://www.sqlite.org/walformat.html#the_wal_index_file_format */
const at = { pageSize: 14, frames: 16, backfilled: 96 }
const logHead = 32
const frameHead = 24

/**
 * For the proof of a power cut: after each commit it writes down, beside the file, how much of the log is on the disk
 * for certain. What a commit without a flush added may be lost, unless a checkpoint has moved it since.
 */
export const makeFlushNotes = (file: string): ((isFlushed: boolean) => void) => {
  const head = Buffer.alloc(at.backfilled + 4)
  const notes = openSync(`${file}.flushed`, 'w')
  let safe = 0
  // Never closed: closing a file gives up every lock that the process has on it, and SQLite has some on this one. Whoever
  // comes next would take the database for nobody's, and cut the index under the hands of this process.
  let index: number | undefined
  return isFlushed => {
    index ??= openSync(`${file}-shm`, 'r')
    readSync(index, head, 0, head.length, 0)
    const frames = head.readUInt32LE(at.frames)
    const backfilled = head.readUInt32LE(at.backfilled)
    // Fewer frames than before: the log began anew.
    if (isFlushed) safe = frames
    else safe = frames < safe ? backfilled : Math.max(safe, backfilled)
    const frameSize = head.readUInt16LE(at.pageSize) + frameHead
    const size = safe === 0 ? 0 : logHead + safe * frameSize
    // One write of one length: whoever stops us in between reads the old or the new one.
    writeSync(notes, String(size).padStart(15), 0)
  }
}
