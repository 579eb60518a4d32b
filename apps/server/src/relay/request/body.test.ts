import { PassThrough } from 'node:stream'
import { expect, it } from 'vitest'
import type { App } from '../../core/app.ts'
import { makeAbort } from '../call-state.ts'
import type { RequestContext } from '../context.ts'
import { readBody, releaseBody } from './body.ts'

const app = { monotonic: () => 0 } as unknown as App

/** Sends chunks that nothing else refers to, as Node's HTTP parser does. */
const read = async (texts: string[]) => {
  const chunks = texts.map(text => Buffer.from(new TextEncoder().encode(text).buffer))
  const headers = { 'content-type': 'application/json' }
  const request = Object.assign(new PassThrough(), { headers })
  const context = { request, body: { bytes: 0 }, abort: makeAbort() } as unknown as RequestContext
  const reading = readBody(app, context)
  for (const each of chunks) request.write(each)
  request.end()
  const body = await reading
  const counted = context.body.bytes
  releaseBody(app, context)
  return { body: body.toString(), counted, left: chunks.map(each => each.length) }
}

it('a body in chunks is joined, and the memory of the chunks is freed at once', async () => {
  expect(await read(['{"a":', '[1,', '2]}'])).toEqual({
    body: '{"a":[1,2]}',
    counted: 11,
    left: [0, 0, 0],
  })
})

it('a body in one chunk is used as it came', async () => {
  expect(await read(['{}'])).toEqual({ body: '{}', counted: 2, left: [2] })
})
