import type { Duplex } from 'node:stream'

/** Shared by a connection and its requests. */
export type HeadState = {
  /** A request was sent, and the head of its answer has not arrived. */
  isAwaited: boolean
}

const interim = Buffer.from('HTTP/1.1 100')
const headEnd = Buffer.from('\r\n\r\n')
const headMax = 16 * 1024
const nothing = Buffer.alloc(0)

/**
 * Removes `100 Continue` in front of an answer. RFC 9110, 15.2 requires clients to accept it although they did not ask
 * for it, and undici closes the connection instead. Bytes of a body are never examined.
 */
export const skipContinue = <Socket extends Duplex>(socket: Socket, head: HeadState): Socket => {
  const read = socket.read.bind(socket)
  /** The beginning of what may be an interim answer. */
  let pending: Buffer = nothing
  socket.read = (size?: number) => {
    for (;;) {
      const chunk: Buffer | null = read(size)
      if (chunk === null || (!head.isAwaited && pending.length === 0)) return chunk
      const rest = withoutContinue(pending.length > 0 ? Buffer.concat([pending, chunk]) : chunk)
      pending = isPartOfContinue(rest) ? rest : nothing
      if (pending.length === 0 && rest.length > 0) return rest
    }
  }
  return socket
}

const withoutContinue = (bytes: Buffer): Buffer => {
  let rest = bytes
  while (startsWithContinue(rest)) {
    const end = rest.indexOf(headEnd)
    if (end === -1) break
    rest = rest.subarray(end + headEnd.length)
  }
  return rest
}

const startsWithContinue = (bytes: Buffer) =>
  bytes.length >= interim.length &&
  bytes.compare(interim, 0, interim.length, 0, interim.length) === 0

/** More bytes are needed to tell; a longer head is left to the parser, which refuses it. */
const isPartOfContinue = (bytes: Buffer): boolean =>
  bytes.length > 0 &&
  bytes.length < headMax &&
  (startsWithContinue(bytes) || interim.subarray(0, bytes.length).equals(bytes))
