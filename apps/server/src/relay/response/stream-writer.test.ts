import { PassThrough } from 'node:stream'
import { text } from 'node:stream/consumers'
import { openaiResponses } from '@hub/dialects'
import { expect, it } from 'vitest'
import { openTestApp } from '../../../test/harness.ts'
import { type CallerResponse, makeAbort, makeRecord, makeResponseState } from '../call-state.ts'
import type { RequestContext } from '../context.ts'
import type { Answer, Reader } from '../upstream/send.ts'
import { writeStream } from './stream-writer.ts'

const frame = (event: object) => Buffer.from(`data: ${JSON.stringify(event)}\n\n`)
const response = { id: 'resp_1', object: 'response', output: [] }
const created = frame({ type: 'response.created', response })
const delta = frame({ type: 'response.output_text.delta', delta: 'Hello' })
const completed = frame({
  type: 'response.completed',
  response: { ...response, status: 'completed' },
})

/** An upstream that has read all of its answer, and passes the rest on in the very call that resumes it, as undici does. */
const eagerAnswer = (first: Buffer, rest: readonly Buffer[]): Answer => {
  let reader: Reader | undefined
  let left = [...rest]
  return {
    status: 200,
    headers: {},
    read: next => {
      const isFirst = reader === undefined
      reader = next
      if (isFirst) next.data(first)
    },
    pause: () => undefined,
    resume: () => {
      const chunks = left
      left = []
      for (const chunk of chunks) reader?.data(chunk)
    },
    drop: () => undefined,
  }
}

it('events that were held back come before those that the upstream passes on when it is resumed', async () => {
  const { app, close } = await openTestApp(undefined)
  const stream = Object.assign(new PassThrough(), {
    ...{ headersSent: false, chunkedEncoding: false, socket: null, writeHead: () => undefined },
  })
  const context = {
    ...{ request: { headers: {} }, dialect: openaiResponses, requestId: '1' },
    ...{ abort: makeAbort(), record: makeRecord(undefined) },
    response: makeResponseState(stream as unknown as CallerResponse, []),
  } as unknown as RequestContext
  const request = openaiResponses.read(Buffer.from('{"model":"m","input":"Hi","stream":true}'))
  if (!request.ok) throw new Error('the request is not read')
  const written = text(stream)
  await writeStream(app, context, {
    answer: eagerAnswer(created, [delta, completed]),
    observer: openaiResponses.observeStream(request.parsed),
    hooks: {
      beforeFirstByte: async () => undefined,
      beforeEnd: () => undefined,
      faultOf: () => {
        throw new Error('the upstream reports no error')
      },
    },
  })
  const types = (await written).match(/"type":"response\.[a-z_.]+"/g)
  expect(types).toEqual([
    '"type":"response.created"',
    '"type":"response.output_text.delta"',
    '"type":"response.completed"',
  ])
  await close(1)
})
