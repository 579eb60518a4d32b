/** Frames that are shorter together are one piece. */
const pieceMin = 512
const frameEnd = Buffer.from('\n\n')

/** Cuts a burst of server-sent events into short pieces of whole frames. Bytes of another form are one piece. */
export const eachFrames = (bytes: Buffer, take: (piece: Buffer) => void): void => {
  let from = 0
  while (bytes.length - from > pieceMin) {
    const end = bytes.indexOf(frameEnd, from + pieceMin) + frameEnd.length
    if (end < frameEnd.length || end >= bytes.length) break
    take(bytes.subarray(from, end))
    from = end
  }
  take(from === 0 ? bytes : bytes.subarray(from))
}
