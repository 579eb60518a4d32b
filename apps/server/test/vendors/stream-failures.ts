import { setTimeout as sleep } from 'node:timers/promises'
import { reset, type Turn } from '../../../../test/upstream/turn.ts'
import { beginStream } from '../relay-calls.ts'
import { answerJson } from '../relay-hub.ts'
import { vendorStream } from './openings.ts'

/** Ends an attempt before its output; it has written as much of the opening as `frames` says. */
export type Failing = (turn: Turn, frames: number) => Promise<void> | void

export const endWith = (turn: Turn, text: string): void =>
  void beginStream(turn).end(Buffer.from(text, 'latin1'))

/** Writes part of a stream, and breaks the connection once it was sent. */
export const cutAfter = async (
  turn: Turn,
  text: string,
  cut: (turn: Turn) => void = ({ response }) => void response.destroy(),
): Promise<void> => {
  const stream = beginStream(turn)
  stream.flushHeaders()
  stream.write(Buffer.from(text, 'latin1'))
  // The bytes must leave before the reset, which discards what waits.
  await sleep(5)
  cut(turn)
}

const begun = (turn: Turn, frames: number): string =>
  vendorStream(turn).opening.slice(0, frames).join('')

/** A frame that no JSON parser reads, or a message of Converse whose checksum is wrong. */
const brokenFrame = (turn: Turn): string => {
  const { output } = vendorStream(turn)
  return isBinary(turn) ? `${output.slice(0, -1)}\0` : 'data: {"choices":[{"delta":{\n\n'
}
const isBinary = ({ served }: Turn): boolean => served.path.endsWith('/converse-stream')
const comment = (turn: Turn): string => (isBinary(turn) ? '' : ': PROCESSING\n\n')
/** Vendors send it as a frame of their own between others. */
const ping = (turn: Turn): string =>
  turn.served.path.endsWith('/messages') ? 'event: ping\ndata: {"type":"ping"}\n\n' : comment(turn)

/** The ways in which an attempt fails after any part of its opening. */
export const failings: Readonly<Record<string, Failing>> = {
  'an error event': (turn, frames) =>
    endWith(turn, begun(turn, frames) + vendorStream(turn).failure),
  ...Object.fromEntries(
    Array.from({ length: 5 }, (_, at): [string, Failing] => [
      `another error event (${at})`,
      (turn, frames) => {
        const { failure, otherFailures } = vendorStream(turn)
        endWith(turn, begun(turn, frames) + (otherFailures[at] ?? failure))
      },
    ]),
  ),
  'a cut': (turn, frames) => cutAfter(turn, begun(turn, frames)),
  'a reset': (turn, frames) => cutAfter(turn, begun(turn, frames), reset),
  'a clean end': (turn, frames) => endWith(turn, begun(turn, frames)),
  'a comment and a cut': (turn, frames) => cutAfter(turn, begun(turn, frames) + comment(turn)),
  'a ping and an error event': (turn, frames) =>
    endWith(turn, begun(turn, frames) + ping(turn) + vendorStream(turn).failure),
  'half a frame and a cut': (turn, frames) => {
    const { output } = vendorStream(turn)
    return cutAfter(turn, begun(turn, frames) + output.slice(0, output.length / 2))
  },
  'a broken frame and a clean end': (turn, frames) =>
    endWith(turn, begun(turn, frames) + brokenFrame(turn)),
  'its closing frame alone': (turn, frames) => {
    const { closing = '' } = vendorStream(turn)
    endWith(turn, begun(turn, frames) + closing)
  },
}

const refusal = { error: { message: 'It broke.', type: 'server_error' } }
const html = (turn: Turn, status: number): void => {
  turn.response.writeHead(status, { 'content-type': 'text/html' })
  turn.response.end('<html>Bad gateway</html>')
}

/** The ways in which an attempt fails before the first frame of its stream. */
export const failingHeads: Readonly<Record<string, (turn: Turn) => Promise<void> | void>> = {
  ...Object.fromEntries(
    [408, 429, 500, 502, 503, 504, 529].map(status => [
      `status ${status}`,
      (turn: Turn) => answerJson(turn, refusal, status),
    ]),
  ),
  'a page of a proxy': turn => html(turn, 502),
  'a page under status 200': turn => html(turn, 200),
  'an error under status 200': turn => answerJson(turn, refusal),
  'nothing under status 200': turn => void turn.response.writeHead(200).end(),
  'no head': ({ response }) => void response.destroy(),
  'a reset instead of a head': reset,
  'a head and a cut': turn => cutAfter(turn, ''),
  'a head and a reset': turn => cutAfter(turn, '', reset),
}
