/**
 * Joins the chunks of a body, and frees them. They must belong to the caller alone. Left to the garbage collector they
 * take as much memory as the bodies themselves, in blocks of 64 KB that leave holes in the C heap: 40 MB under full load.
 */
export const joinChunks = (chunks: readonly Buffer<ArrayBuffer>[]): Buffer => {
  if (chunks.length === 1) return chunks[0]!
  const whole = Buffer.concat(chunks)
  for (const { buffer, length } of chunks) {
    // A small chunk may share its memory with others.
    if (buffer.byteLength === length) buffer.transfer(0)
  }
  return whole
}

type CollectMinor = (options: { type: 'minor' }) => void

const unreachableMax = 16 * 1024 * 1024

/**
 * Returns a function that is told of each large body and of the bytes of all bodies in use, and that collects young
 * garbage after 16 MiB of bodies. V8 counts memory outside its heap towards the old generation alone: left to itself it
 * marks the whole heap for every 64 MB of bodies, which takes eight times as long and 15 % of the CPU of a call with
 * 200 KB. With many bodies in use it waits longer, so that most of them are not copied out of the young generation.
 * Without `--expose-gc` nothing is done.
 */
export const makeBodyCollector = (
  collect = globalThis.gc as unknown as CollectMinor | undefined,
) => {
  let unreachable = 0
  return (bytes: number, bytesInUse: number): void => {
    unreachable += bytes
    if (unreachable < Math.max(unreachableMax, 2 * bytesInUse)) return
    unreachable = 0
    collect?.({ type: 'minor' })
  }
}
