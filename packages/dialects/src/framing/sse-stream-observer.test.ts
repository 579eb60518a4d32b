import { expect, it } from 'vitest'
import { noUsage } from '../usage.ts'
import type { FrameAction, FrameObserver } from './frame-observer.ts'
import { frameBytesMax, sseStreamObserver, tooLarge } from './sse-stream-observer.ts'

/** A dialect whose frames say in their first word what becomes of them. What stands between stars is taken out. */
const listening = (more: Partial<FrameObserver> = {}) => {
  const observed: string[] = []
  let cut: { cutStart: number; cutEnd: number } | undefined
  const observer: FrameObserver = {
    observe: (bytes, start, end) => {
      const text = bytes.toString('utf8', start, end)
      observed.push(text)
      const [from, to] = [bytes.indexOf('*', start), bytes.lastIndexOf('*', end - 1) + 1]
      cut = from >= start && to > from ? { cutStart: from, cutEnd: to } : undefined
      return (/[a-z]+/.exec(text)?.[0] ?? 'forward') as FrameAction
    },
    cutRange: () => cut,
    mayBeComplete: () => false,
    weightedChars: () => observed.join('').length,
    usage: () => ({ ...noUsage(), output: observed.length }),
    ...more,
  }
  return { tap: sseStreamObserver(observer), observed }
}

const run = (chunks: readonly Buffer[], more?: Partial<FrameObserver>) => {
  const { tap, observed } = listening(more)
  let out = ''
  for (const each of chunks) {
    const chunk = Buffer.from(each)
    const pieces = tap.push(chunk)
    for (const piece of pieces) expect(piece.length).toBeGreaterThan(0)
    out += Buffer.concat(pieces)
    // It is the network's again, and may be written over.
    chunk.fill('!')
  }
  const [failure, malformedFrames, closed] = [tap.failure(), tap.malformedFrames(), tap.isClosed()]
  return { out, observed, malformedFrames, closed, tail: tap.tail().toString(), failure }
}

type ObservedStream = Partial<ReturnType<typeof run>>

const runAnywhere = (text: string, result: ObservedStream) => {
  const bytes = Buffer.from(text)
  const whole = { malformedFrames: 0, closed: false, tail: '', failure: undefined, ...result }
  expect(run([bytes])).toMatchObject(whole)
  const seen = JSON.stringify(run([bytes]))
  for (let at = 1; at < bytes.length; at += 1)
    expect(JSON.stringify(run([bytes.subarray(0, at), bytes.subarray(at)]))).toBe(seen)
  expect(JSON.stringify(run([...bytes].map(byte => Buffer.from([byte]))))).toBe(seen)
}

const one = 'data: "forward 1"\n\n'
const two = 'event: e\r\ndata:"forward 2"\r\n\r\n'
const three = 'id: 3\rretry: 3\rdata: "forward"\r: c\r\r'
const lines = 'data: ["forward",\ndata: 4]\n\n'
const dropped = 'data: "drop"\n\n'
const held = 'data: "hold 1"\n\n'
const heldNext = 'event: e\rdata: "hold 2"\r\r'

it.each<[string, string, ObservedStream]>([
  [
    'frames go on as they are, whatever their lines end with',
    `\n\n${one}\n${two}\r\n${three}${lines}event: none\n\nevent: e\nid: 1\n\ndata\n\n`,
    {
      out: `\n\n${one}\n${two}\r\n${three}${lines}event: none\n\nevent: e\nid: 1\n\ndata\n\n`,
      observed: ['"forward 1"', '"forward 2"', '"forward"', '["forward",\n4]', ''],
    },
  ],
  ['a mark before the first line does not', `\uFEFF${one}${two}`, { out: one + two }],
  [
    'a mark anywhere else is part of a name that is none',
    `${one}\uFEFF${one}`,
    { out: one, malformedFrames: 1, observed: ['"forward 1"'] },
  ],
  [
    'what is left out takes its blank lines along, but no comment',
    `${one}${dropped}\n\r\n: ping\n\n${dropped}\n${two}event: e\n${dropped}${one}`,
    { out: `${one}: ping\n\n${two}${one}` },
  ],
  [
    'what may be the last waits for the next one',
    `${one}${held}\n${heldNext}\r`,
    { out: `${one}${held}\n`, observed: ['"forward 1"', '"hold 1"', '"hold 2"'] },
  ],
  [
    'it goes on in its place: before a frame, before a comment',
    `${held}\n${one}${heldNext}: ping\n${two}`,
    { out: `${held}\n${one}${heldNext}: ping\n${two}` },
  ],
  ['what is left out is no next one', `${held}${dropped}\n${one}`, { out: `${held}\n${one}` }],
  [
    'the closing one is kept, and nothing behind it is awaited',
    `${one}event: end\ndata: "closing"\n\n${two}data: "error"\n\n`,
    { out: one, closed: true, tail: 'event: end\ndata: "closing"\n\n' },
  ],
  [
    'lines that are no fields are garbage; what is heard as such is, too',
    `${one}foo: bar\n\n${one}data: "malformed"\n\nid: 1\n<html>\n${one}`,
    { out: one + one, malformedFrames: 3, observed: ['"forward 1"', '"forward 1"', '"malformed"'] },
  ],
  [
    'after a failure nothing goes on',
    `${one}data: "error"\n\n${one}data: "closing"\n\n`,
    { out: one, failure: 'error' },
  ],
  ...['\n', '\r', '\r\n'].map((end): [string, string, ObservedStream] => [
    `an event named error is a failure, its line ended by ${JSON.stringify(end)}`,
    `event: errors${end}data: "forward"${end}${end}event:error${end}data:"forward"${end}${end}`,
    { out: `event: errors${end}data: "forward"${end}${end}`, failure: 'forward' },
  ]),
  [
    'one of several lines is, too',
    'event: error\ndata: ["forward",\ndata: 1]\n\n',
    { out: '', failure: ['forward', 1] },
  ],
  [
    'one of several fields is, too',
    'id: 1\nevent: error\ndata: {"forward":1}\n\n',
    { out: '', failure: { forward: 1 } },
  ],
  [
    'but not one that its dialect leaves out or knows better',
    `event: error\n${dropped}event: error\ndata: "malformed"\n\n${one}event: error\ndata: "closing"\n\n`,
    { out: one, malformedFrames: 1, closed: true, tail: 'event: error\ndata: "closing"\n\n' },
  ],
  [
    'what its dialect takes out is not in what goes on',
    `${one}data: "forward *secret* a"\n\n: ping\nid: 1\nevent: e\ndata: "forward *secret* b"\n\n${one}`,
    {
      out: `${one}data: "forward  a"\n\n: ping\nid: 1\nevent: e\ndata: "forward  b"\n\n${one}`,
    },
  ],
  [
    'nothing is taken out by places that are none of the frame',
    `data: "forward *a*\ndata: "\n\ndata: "forward *a*"\n\n`,
    { out: `data: "forward *a*\ndata: "\n\ndata: "forward "\n\n` },
  ],
])('%s', (_title, text, result) => runAnywhere(text, result))

// The names of fields are data, event, id and retry: one letter more or less is another name.
it.each([
  ...['xxxxx:', 'dxxxx:', 'daxxx:', 'datxx:', 'datax:', 'xata:', 'dxta:', 'daxa:', 'datx:'],
  ...['dat:', 'dataa:', 'events:', 'xvent:', 'ids:', 'retries:', 'datadata:', 'datadatadata:'],
  ...['\uFEFEdata:', '\uEEFFdata:', '\uFF3Fdata:'],
])('%s is no field', name =>
  runAnywhere(`${name} "drop"\n\n${name} 1\n${one}event: e\n${name} 1\n\n${two}`, {
    out: two,
    malformedFrames: 3,
    observed: ['"forward 2"'],
  }),
)

it('what goes on whole is the chunk itself, and what does not is nothing', () => {
  const { tap } = listening()
  const chunk = Buffer.from(one + two + three + lines)
  expect(tap.push(chunk)[0]).toBe(chunk)
  expect(tap.push(Buffer.from(dropped))).toEqual([])
  expect(tap.push(Buffer.from('data: "forward *a*"\n\r'))).toHaveLength(1)
  const behind = Buffer.from(`\n${one}`)
  expect(tap.push(behind)[0]).toBe(behind)
  expect(tap.push(Buffer.from(one.slice(0, 3)))).toEqual([])
  const pieces = tap.push(Buffer.from(`${one.slice(3)}${two}${dropped}${one}`))
  expect(pieces.map(String)).toEqual([one + two + one])
})

it('a comment goes on at once: it keeps a connection open', () => {
  const { tap } = listening()
  for (const comment of [': ping\n', '\n', ':\r', ': ping\r\n'])
    expect(tap.push(Buffer.from(comment)).map(String)).toEqual([comment])
})

it('a frame of more than 16 MiB ends the stream as a failure', () => {
  const { tap } = listening()
  const half = Buffer.alloc(frameBytesMax / 2, 'a')
  for (const bytes of [half, half]) expect(tap.push(bytes)).toEqual([])
  expect(tap.failure()).toBeUndefined()
  tap.push(Buffer.from('a'))
  expect(tap.failure()).toEqual({
    error: { message: 'A frame is larger than 16 MiB.', type: 'frame_too_large', code: null },
  })
  expect(tap.failure()).toBe(tooLarge)
  expect(tap.push(Buffer.from(`\n\n${one}`))).toEqual([])
})

it('tells what its dialect counted', () => {
  const { tap } = listening({ responseId: () => 'resp_1' })
  expect([tap.meteredTokens(), tap.responseId?.()]).toEqual([0, 'resp_1'])
  tap.push(Buffer.from(one))
  expect([tap.meteredTokens(), tap.usage()]).toEqual([3, { ...noUsage(), output: 1 }])
  expect([listening().tap.responseId, listening().tap.end]).toEqual([undefined, undefined])
})

it('a stream that lacks its last blank line is closed where its dialect takes the rest for the end', () => {
  const unended = (rest: Buffer) =>
    rest.includes('closing') ? Buffer.from(`${rest}\n`) : undefined
  expect(run([Buffer.from(`${one}data: "closing"\n`)], { closingOf: unended })).toMatchObject({
    closed: true,
    tail: 'data: "closing"\n\n',
  })
  const open = { closed: false, tail: '' }
  expect(run([Buffer.from(`${one}data: "ke`)], { closingOf: unended })).toMatchObject(open)
  expect(run([Buffer.from(`${one}data: "closing"\n`)])).toMatchObject(open)
})

// A dialect without a closing frame: the last frames are held until the connection ends.
it.each<[string, string, boolean, string, string, boolean]>([
  ['whole frames', `${one}${held}`, true, one, held, true],
  ['a blank line behind them', `${one}${heldNext}\r`, true, one, `${heldNext}\r`, true],
  [
    'a frame that lacks its blank line',
    `${one}data: "hold 2`,
    true,
    one,
    'data: "hold 2\n\n',
    true,
  ],
  ['one that goes on', `${held}data: "forward"`, true, '', `${held}data: "forward"\n\n`, true],
  ['one that is left out', `${held}data: "drop"`, true, '', held, true],
  ['a failure', `${held}data: "error"`, true, '', '', false],
  ['nothing that its dialect takes for the end', held, false, '', '', false],
  ['a failure before', `${one}data: "error"\n\n${held}`, true, one, '', false],
  ['a closing frame', `${one}data: "closing"\n\n${held}`, true, one, 'data: "closing"\n\n', true],
])('at the end of the connection: %s', (_title, text, isFinished, out, tail, isGood) => {
  const bytes = Buffer.from(text)
  for (let at = 1; at <= bytes.length; at += 1) {
    const { tap } = listening({ isFinished: () => isFinished })
    const chunks = [Buffer.from(bytes.subarray(0, at)), Buffer.from(bytes.subarray(at))]
    const gone = chunks.map(chunk => {
      const given = Buffer.concat(tap.push(chunk)).toString()
      chunk.fill('!')
      return given
    })
    expect([gone.join(''), tap.end?.(), tap.isClosed()]).toEqual([out, isGood, isGood])
    expect(tap.tail().toString()).toBe(tail)
  }
})
