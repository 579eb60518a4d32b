import { createServer, type IncomingHttpHeaders } from 'node:http'
import type { AddressInfo } from 'node:net'
import { inputTokens, outputTokens } from '@hub/dialects/usage'
import otlp from '@opentelemetry/otlp-transformer/build/src/generated/root.js'
import { afterAll, expect, it, vi } from 'vitest'
import { usageOf } from '../src/billing/usage.ts'
import { answerJson, type Json, useRelayHub } from './relay-hub.ts'

type Received = { path: string; headers: IncomingHttpHeaders; body: string }

/** Answers as a collector does, and keeps what it was sent. */
const startCollector = async () => {
  const received: Received[] = []
  const server = createServer((request, response) => {
    const chunks: Buffer[] = []
    request.on('data', chunk => chunks.push(chunk))
    request.on('end', () => {
      const body = Buffer.concat(chunks).toString('utf8')
      received.push({ path: request.url!, headers: request.headers, body })
      response.setHeader('content-type', 'application/json').end('{}')
    })
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return { received, endpoint: `http://127.0.0.1:${port}`, close: () => server.close() }
}

const collector = await startCollector()
afterAll(() => collector.close())

const hub = useRelayHub({
  OTEL_EXPORTER_OTLP_ENDPOINT: collector.endpoint,
  OTEL_EXPORTER_OTLP_HEADERS: 'authorization=Bearer%20collector-secret',
  OTEL_SERVICE_NAME: 'gateway-under-test',
})

const { opentelemetry } = otlp as Json
const messages: Json = {
  '/v1/traces': opentelemetry.proto.collector.trace.v1.ExportTraceServiceRequest,
  '/v1/metrics': opentelemetry.proto.collector.metrics.v1.ExportMetricsServiceRequest,
}

/** Ids are hex in OTLP's JSON, and bytes in the definitions. */
const idFields = /^(traceId|spanId|parentSpanId)$/
const fromHex = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(fromHex)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value)
      // An empty list is none.
      .filter(([, each]) => !Array.isArray(each) || each.length > 0)
      .map(([key, each]) => [
        key,
        idFields.test(key) ? Buffer.from(String(each), 'hex').toString('base64') : fromHex(each),
      ]),
  )
}

/** Decodes by the official definitions. Fields that they do not have would be missing afterwards. */
const decode = ({ path, body }: Received): Json => {
  const json = fromHex(JSON.parse(body)) as object
  const decoded = messages[path].toObject(messages[path].fromObject(json), {
    ...{ longs: String, bytes: String },
  })
  expect(decoded).toEqual(json)
  return decoded
}

const flush = () => hub.app.app.telemetry!.flush()

const attributeValue = (value: Json) =>
  value.stringValue ?? value.boolValue ?? value.doubleValue ?? Number(value.intValue)

/** All spans, once those of so many calls were exported: a call ends shortly after its caller has the answer. */
const spans = (calls: number): Promise<Json[]> =>
  vi.waitFor(async () => {
    await flush()
    const all = exportedSpans()
    expect(all.filter(each => each.kind === 2)).toHaveLength(calls)
    return all
  })

const exportedSpans = (): Json[] =>
  collector.received
    .filter(each => each.path === '/v1/traces')
    .flatMap(each => decode(each).resourceSpans)
    .flatMap(each => each.scopeSpans)
    .flatMap(each => each.spans)
    .map(span => ({
      ...span,
      attributes: Object.fromEntries(
        (span.attributes ?? []).map((each: Json) => [each.key, attributeValue(each.value)]),
      ),
    }))

const canary = { prompt: 'a prompt of the canary', answer: 'an answer of the canary' }
const [trace, parent] = ['4bf92f3577b34da6a3ce929d0e0e4736', '00f067aa0ba902b7']
const base64 = (hex: string) => Buffer.from(hex, 'hex').toString('base64')

const chat = (model: string, headers: Record<string, string> = {}) =>
  hub.post(
    '/v1/chat/completions',
    { model, messages: [{ role: 'user', content: canary.prompt }] },
    headers,
  )

it('a call is a span in the trace of its caller, with one span per attempt', async () => {
  await hub.addChannel(1, 'traced', { base_url: 'http://127.0.0.1:1', priority: 9 })
  await hub.addChannel(1, 'traced')
  hub.upstream.play('traced', turn =>
    answerJson(turn, {
      ...{ id: 'chatcmpl-1', object: 'chat.completion', created: 1, model: 'traced' },
      choices: [
        {
          ...{ index: 0, finish_reason: 'stop' },
          message: { role: 'assistant', content: canary.answer },
        },
      ],
      usage: {
        ...{ prompt_tokens: 20, completion_tokens: 7, total_tokens: 27 },
        prompt_tokens_details: { cached_tokens: 5 },
        completion_tokens_details: { reasoning_tokens: 3 },
      },
    }),
  )
  const traceparent = `00-${trace}-${parent}-01`
  expect((await chat('traced', { traceparent })).status).toBe(200)
  const [call, failed, served, ...more] = await spans(1)
  expect(more).toEqual([])
  expect(call).toMatchObject({
    ...{ name: 'chat traced', kind: 2, traceId: base64(trace), parentSpanId: base64(parent) },
    status: { code: 0 },
    attributes: {
      'gen_ai.operation.name': 'chat',
      'gen_ai.provider.name': 'openai',
      'gen_ai.request.model': 'traced',
      'gen_ai.usage.input_tokens': 20,
      'gen_ai.usage.output_tokens': 7,
      'gen_ai.usage.cache_read.input_tokens': 5,
      'gen_ai.usage.reasoning.output_tokens': 3,
    },
  })
  for (const each of [failed, served])
    expect(each).toMatchObject({
      ...{ kind: 3, traceId: call!.traceId, parentSpanId: call!.spanId, name: 'chat traced' },
    })
  expect(failed!.attributes['error.type']).toBe('upstream.unreachable')
  expect(failed!.status).toEqual({ code: 2 })
  expect(served!.status).toEqual({ code: 0 })
  const nanoseconds = [call, failed, served].map(each => ({
    from: BigInt(each!.startTimeUnixNano),
    to: BigInt(each!.endTimeUnixNano),
  }))
  const [whole, first, second] = nanoseconds
  expect(whole!.from <= first!.from && first!.to <= second!.from).toBe(true)
  expect(second!.from < second!.to && second!.to <= whole!.to).toBe(true)
})

it('the sums of the spans are those of the postings', async () => {
  for (const model of ['any:in=7;out=3', 'any:in=11;out=2']) {
    await hub.addChannel(1, model)
    expect((await chat(model)).status).toBe(200)
  }
  expect((await chat('no-such-model')).status).toBe(404)
  const calls = (await spans(4)).filter(each => each.kind === 2)
  const sum = (name: string) =>
    calls.reduce((total, each) => total + (each.attributes[name] ?? 0), 0)
  const { db } = hub.app.app
  const logs = await db.selectFrom('logs').selectAll().where('type', '=', 2).execute()
  const total = (read: (row: (typeof logs)[number]) => number) =>
    logs.reduce((all, row) => all + read(row), 0)
  expect(logs).toHaveLength(3)
  expect({
    input: sum('gen_ai.usage.input_tokens'),
    output: sum('gen_ai.usage.output_tokens'),
    points: sum('hub.charge.points'),
  }).toEqual({
    input: total(row => row.prompt_tokens),
    output: total(row => row.completion_tokens),
    points: total(row => row.quota),
  })
  const postings = await db
    .selectFrom('transfers')
    .selectAll()
    .where('channel_id', '>', 0)
    .execute()
  const receipts = postings.map(each => usageOf(JSON.parse(each.usage).usage))
  expect(postings.reduce((all, { amount }) => all + amount, 0)).toBe(sum('hub.charge.points'))
  expect(receipts.reduce((all, each) => all + inputTokens(each), 0)).toBe(
    sum('gen_ai.usage.input_tokens'),
  )
  expect(receipts.reduce((all, each) => all + outputTokens(each), 0)).toBe(
    sum('gen_ai.usage.output_tokens'),
  )
  expect(calls.at(-1)!.attributes['error.type']).toBe('model.unknown')
})

it('metrics are those of /api/metrics, and those of the GenAI conventions', async () => {
  await flush()
  const last = collector.received.findLast(each => each.path === '/v1/metrics')!
  const [resource] = decode(last).resourceMetrics
  expect(resource.resource.attributes).toContainEqual({
    key: 'service.name',
    value: { stringValue: 'gateway-under-test' },
  })
  const metrics = new Map<string, Json>(
    resource.scopeMetrics[0].metrics.map((each: Json) => [each.name, each]),
  )
  for (const { name, type, values } of await hub.app.app.metrics.readRegistry().getMetricsAsJSON())
    if (String(type) !== 'summary' && values.length > 0) expect(metrics.has(name), name).toBe(true)
  const served = metrics
    .get('hub_calls_total')!
    .sum.dataPoints.find((each: Json) =>
      each.attributes?.every((one: Json) =>
        ['chat', 'openai', 'ok', 'none'].includes(one.value.stringValue),
      ),
    )
  expect(served.asDouble).toBe(3)
  const tokens = metrics.get('gen_ai.client.token.usage')!.histogram.dataPoints
  const inputs = tokens.filter((each: Json) =>
    each.attributes.some((one: Json) => one.value.stringValue === 'input'),
  )
  expect(inputs.reduce((all: number, each: Json) => all + each.sum, 0)).toBe(38)
  for (const each of metrics.get('hub_first_byte_seconds')!.histogram.dataPoints)
    expect(each.bucketCounts.reduce((all: number, n: string) => all + Number(n), 0)).toBe(
      Number(each.count),
    )
})

it('no content and no secret is exported', async () => {
  await spans(4)
  const bodies = collector.received.map(each => each.body).join('\n')
  expect(bodies).toContain('chat traced')
  const vendor = new URL(hub.upstream.url)
  for (const secret of [...Object.values(canary), hub.key, 'vendor-key', vendor.host])
    expect(bodies, secret).not.toContain(secret)
  for (const each of collector.received)
    expect(each.headers).toMatchObject({
      authorization: 'Bearer collector-secret',
      'content-type': 'application/json',
    })
})
