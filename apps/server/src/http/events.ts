import { Readable } from 'node:stream'
import { type Endpoint, Fault } from '@hub/contract'
import type { FastifyReply } from 'fastify'

/** Sends server-sent events as they come. When the client leaves, the iteration ends after its running step. */
export const sendEvents = (reply: FastifyReply, endpoint: Endpoint, events: unknown) =>
  reply
    .header('content-type', 'text/event-stream; charset=utf-8')
    .header('cache-control', 'no-store')
    // nginx would otherwise hold events back until its buffer is full.
    .header('x-accel-buffering', 'no')
    .send(Readable.from(frames(endpoint, events as AsyncIterable<unknown>), { objectMode: false }))

async function* frames(endpoint: Endpoint, events: AsyncIterable<unknown>) {
  try {
    for await (const event of events) yield frame(endpoint.response.parse(event))
  } catch (error) {
    // The status is sent already, so that the failure is an event too.
    const { code, message } = error instanceof Fault ? error : new Fault('server.failed')
    yield frame({ type: 'error', data: { code, message } })
  }
}

const frame = (event: unknown) => `event: message\ndata: ${JSON.stringify(event)}\n\n`
