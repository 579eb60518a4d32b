import { describe, expect, it } from 'vitest'
import type { Framing } from './frame-reader.ts'
import { frameReader } from './index.ts'

const read = (framing: Framing, chunks: readonly Buffer[]) => {
  const frames: [string, string][] = []
  const reader = frameReader(framing, (data, event) => frames.push([data, event]))
  const isGood = chunks.every(chunk => reader.push(chunk))
  reader.end()
  return { frames, isGood }
}

const inTwo = (bytes: Buffer, at: number) => [bytes.subarray(0, at), bytes.subarray(at)]

const cutAnywhere = (framing: Framing, bytes: Buffer) => {
  const whole = read(framing, [bytes])
  for (let at = 0; at <= bytes.length; at += 1)
    expect(read(framing, inTwo(bytes, at))).toEqual(whole)
  const single = [...bytes].map(byte => Buffer.from([byte]))
  expect(read(framing, single)).toEqual(whole)
  return whole.frames
}

const header = (name: string, type: number, value: Buffer): Buffer =>
  Buffer.concat([Buffer.from([Buffer.byteLength(name)]), Buffer.from(name), Buffer.of(type), value])

const textHeader = (name: string, value: string): Buffer =>
  header(
    name,
    7,
    Buffer.concat([Buffer.from([value.length >> 8, value.length & 0xff]), Buffer.from(value)]),
  )

/** By the vendor's document: lengths, their checksum, headers, payload, checksum of all. */
const framed = (head: Buffer, payload: string, wrong: { length?: number; head?: number } = {}) => {
  const prelude = Buffer.alloc(8)
  prelude.writeUInt32BE(wrong.length ?? 16 + head.length + Buffer.byteLength(payload), 0)
  prelude.writeUInt32BE(wrong.head ?? head.length, 4)
  const begun = Buffer.concat([prelude, word(prelude), head, Buffer.from(payload)])
  return Buffer.concat([begun, word(begun)])
}

const message = (headers: Record<string, string>, payload: string): Buffer => {
  const named = Object.entries(headers).map(([name, value]) => textHeader(name, value))
  // A header that is no text: a time, eight bytes.
  const time = header(':t', 8, Buffer.from([0, 0, 0, 0, 0, 0, 0, 1]))
  return framed(Buffer.concat([time, ...named]), payload)
}

/** Another way to the same sum than the table of the source. */
const word = (bytes: Buffer): Buffer => {
  let rest = 0xffffffff
  for (const byte of bytes)
    for (let bit = 0; bit < 8; bit += 1) {
      const isSet = ((rest ^ (byte >> bit)) & 1) === 1
      rest = (rest >>> 1) ^ (isSet ? 0xedb88320 : 0)
    }
  const sum = Buffer.alloc(4)
  sum.writeUInt32BE((rest ^ 0xffffffff) >>> 0)
  return sum
}

const event = (type: string, payload: string) =>
  message({ ':message-type': 'event', ':event-type': type }, payload)

describe('sse', () => {
  it('gives data and names, whatever the line ends, comments and blanks', () => {
    const text =
      '\uFEFFdata: {"a":1}\n\n: comment\n\nevent: e\r\ndata:x\r\n\r\ndata: 1\ndata: 2\n\nid: 7\n\ndata: last'
    expect(cutAnywhere('sse', Buffer.from(text))).toEqual([
      ['{"a":1}', ''],
      ['x', 'e'],
      ['1\n2', ''],
      ['last', ''],
    ])
  })

  it.each<[string, [string, string][]]>([
    [
      'data: 1\r\rid: 1\nevent: e\rdata: 2\r\r',
      [
        ['1', ''],
        ['2', 'e'],
      ],
    ],
    [
      'data:\n\ndata\n\ndata:  2 \r\n\r\ndata: a\ndata\n\n',
      [
        ['', ''],
        ['', ''],
        [' 2 ', ''],
        ['a\n', ''],
      ],
    ],
    ['event: e\ndata: a\ndata: b', [['a\nb', 'e']]],
    ['\uFEFFdata: 1', [['1', '']]],
    // Only what stands first is a mark.
    ['data: 1\n\n\uFEFFdata: 2\n\n\uFEFFdata: 3', [['1', '']]],
    ['\uFEFEdata: 1\n\n\uEEFFdata: 2', []],
    ['\uFF3Fdata: 1\n\nxata: 2\n\ndatax: 3\n\nevent: e\n\n: c\n\nda', []],
  ])('%j is read by the standard', (text, frames) =>
    expect(cutAnywhere('sse', Buffer.from(text))).toEqual(frames),
  )
})

it.each<Framing>(['sse', 'json-lines'])('%s: a frame of more than 16 MiB is refused', framing => {
  const half = Buffer.alloc(8 * 1024 * 1024, 'a')
  expect(read(framing, [half, half]).isGood).toBe(true)
  expect(read(framing, [half, half, half.subarray(0, 1)]).isGood).toBe(false)
})

describe('json-lines', () => {
  it('gives one value a line, and the last one without its end', () => {
    const text = '{"a":"é"}\r\n\n  {"b":2}\n{"c":3}'
    expect(cutAnywhere('json-lines', Buffer.from(text))).toEqual([
      ['{"a":"é"}', ''],
      ['{"b":2}', ''],
      ['{"c":3}', ''],
    ])
  })
})

describe('aws-events', () => {
  const inner = '{"type":"content_block_delta","text":"世界"}'
  const wrapped = JSON.stringify({ bytes: Buffer.from(inner).toString('base64'), p: 'abc' })
  const stream = Buffer.concat([
    event('messageStart', '{"role":"assistant"}'),
    event('chunk', wrapped),
    message(
      { ':message-type': 'exception', ':exception-type': 'throttlingException' },
      '{"message":"Too many."}',
    ),
  ])

  it('gives payloads and their names, the model own events, and exceptions as errors', () => {
    expect(cutAnywhere('aws-events', stream)).toEqual([
      ['{"role":"assistant"}', 'messageStart'],
      [inner, ''],
      ['{"type":"error","error":{"type":"throttlingException","message":"Too many."}}', 'error'],
    ])
  })

  it('a byte that was changed is noticed wherever it is, and nothing after it is believed', () => {
    const first = event('messageStart', '{"role":"assistant"}')
    for (let at = 0; at < first.length; at += 1) {
      const broken = Buffer.concat([first, stream])
      broken[at]! ^= 0x20
      const { frames, isGood } = read('aws-events', [broken])
      // A length that grew may wait for bytes that never come: its own checksum says so first.
      expect([frames, isGood]).toEqual([[], false])
    }
  })

  it('a stream that went wrong stays so, and what is not whole at its end is nothing', () => {
    const reader = frameReader('aws-events', () => expect.unreachable())
    expect(reader.push(Buffer.from('HTTP/1.1 502 Bad Gateway'))).toBe(false)
    expect(reader.push(event('messageStart', '{}'))).toBe(false)
    reader.end()
    expect(read('aws-events', [event('messageStop', '{}').subarray(0, -1)])).toEqual({
      frames: [],
      isGood: true,
    })
  })

  // Each with right checksums: a length nobody may wait for, or one that leaves no room for what is said to be there.
  it.each([
    ['longer than 24 MiB', { length: 24 * 1024 * 1024 + 1 }, false],
    ['of 24 MiB, and waited for', { length: 24 * 1024 * 1024 }, true],
    ['shorter than its own frame', { length: 15, head: 0 }, false],
    ['with longer headers than itself', { head: 7 + 2 + 1 }, false],
  ])('a message %s', (_title, wrong, isGood) => {
    const head = header('a', 9, Buffer.alloc(4))
    expect(read('aws-events', [framed(head, '{}', wrong)])).toEqual({ frames: [], isGood })
  })

  it('a message may have no headers and no payload', () =>
    expect(cutAnywhere('aws-events', framed(Buffer.alloc(0), ''))).toEqual([['', '']]))

  // https://smithy.io/2.0/aws/amazon-eventstream.html: true, false, byte, short, int, long, bytes, string, time, UUID.
  it.each([
    ...[
      [0, 0],
      [1, 0],
      [2, 1],
      [3, 2],
      [4, 4],
      [5, 8],
      [8, 8],
      [9, 16],
    ].map(([type, size]) => [type!, Buffer.alloc(size!, 0xff)] as const),
    [6, Buffer.concat([Buffer.from([1, 2]), Buffer.alloc(258, 0xff)])] as const,
    [7, Buffer.concat([Buffer.from([0, 3]), Buffer.from('abc')])] as const,
  ])('headers behind one of type %d are found', (type, value) => {
    const head = Buffer.concat([header('any', type, value), textHeader(':event-type', 'metadata')])
    expect(cutAnywhere('aws-events', framed(head, '{}'))).toEqual([['{}', 'metadata']])
  })

  it.each([
    [
      'of a type that is none',
      [header('any', 10, Buffer.alloc(0)), textHeader(':event-type', 'x')],
    ],
    ['that is cut off in its name', [Buffer.from([9, 0x61, 0x62])]],
    ['that is cut off before its length', [header(':event-type', 7, Buffer.alloc(0))]],
  ])('behind a header %s nothing is believed but the payload', (_title, headers) => {
    expect(read('aws-events', [framed(Buffer.concat(headers), '{"a":1}')])).toEqual({
      frames: [['{"a":1}', '']],
      isGood: true,
    })
  })

  // https://docs.aws.amazon.com/AmazonS3/latest/API/RESTSelectObjectAppendix.html: errors have a code and a message.
  it.each<[Record<string, string>, string, string, string]>([
    [{ ':message-type': 'exception', ':exception-type': 'a' }, '{"message":"m"}', 'a', 'm'],
    [{ ':message-type': 'exception', ':exception-type': 'a' }, '{"Message":"m"}', 'a', 'm'],
    [{ ':message-type': 'exception', ':error-message': 'h' }, '{"message":7}', 'exception', 'h'],
    [{ ':message-type': 'error', ':error-code': 'c', ':error-message': 'h' }, '', 'c', 'h'],
    [{ ':message-type': 'error' }, 'null', 'error', ''],
  ])('%j with %j is an error', (headers, payload, type, text) =>
    expect(cutAnywhere('aws-events', message(headers, payload))).toEqual([
      [JSON.stringify({ type: 'error', error: { type, message: text } }), 'error'],
    ]),
  )

  it.each(['{"bytes":7}', '{"bytes"', '{"other":1,"bytes":"e30="}'])(
    '%s has no event of a model in it',
    payload =>
      expect(cutAnywhere('aws-events', event('chunk', payload))).toEqual([[payload, 'chunk']]),
  )
})
