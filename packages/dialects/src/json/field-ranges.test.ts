import { expect, it } from 'vitest'
import { close, open, scalar, text } from './cursor.ts'
import { readFieldRanges } from './field-ranges.ts'

const guarded = ['model', 'stream', 'task']

const result = (body: string) => {
  // The object may stand among other bytes.
  const bytes = Buffer.from(`[${body}]`)
  const read = readFieldRanges(bytes, 1, bytes.length - 1, guarded)
  if (!read.ok) return [read.reason, read.hint]
  return [...read.fieldRanges].map(([key, { keyStart, start, end }]) => [
    key,
    bytes.toString('utf8', keyStart, start),
    bytes.toString('utf8', start, end),
  ])
}

it.each([
  ['{}', []],
  [
    ' { "a" : 1 ,"b":{"model":{"c":[]}} , "c":[ {"a":1},[] ], "model":"x"} ',
    [
      ['a', '"a" : ', '1'],
      ['b', '"b":', '{"model":{"c":[]}}'],
      ['c', '"c":', '[ {"a":1},[] ]'],
      ['model', '"model":', '"x"'],
    ],
  ],
  ['{"é\\u0041":true}', [['éA', '"é\\u0041":', 'true']]],
])('%s has its keys in their order, each with its place', (body, fieldRanges) =>
  expect(result(body)).toEqual(fieldRanges),
)

// A caller must not be charged for one model and served another: parsers disagree on such keys.
it.each([
  ['[]', 'unreadable', 'A JSON object is expected.'],
  ['"{}"', 'unreadable', 'A JSON object is expected.'],
  ['', 'unreadable', 'A JSON object is expected.'],
  ['{"a":1,}', 'unreadable', 'It goes wrong at byte 6.'],
  ['{"a":1}}', 'unreadable', 'It goes wrong at byte 7.'],
  [`{"a":${'['.repeat(128)}`, 'too-deep', ''],
  ['{"a":1,"b":{},"a":1}', 'ambiguous', "'a' stands twice."],
  ['{"a":1,"\\u0061":1}', 'ambiguous', "'a' stands twice."],
  [
    `{"${'k'.repeat(70)}":1,"${'k'.repeat(70)}":1}`,
    'ambiguous',
    `'${'k'.repeat(64)}' stands twice.`,
  ],
  ['{"Model":1}', 'ambiguous', "'model' is written in another way."],
  ['{"mod\\u0065l":1}', 'ambiguous', "'model' is written in another way."],
  ['{"\u017Ftream":1}', 'ambiguous', "'stream' is written in another way."],
  ['{"tas\u212A":1}', 'ambiguous', "'task' is written in another way."],
])('%s is refused as %s', (body, reason, hint) => expect(result(body)).toEqual([reason, hint]))

it('of 512 keys the 513th is one too many', () => {
  const keys = Array.from({ length: 513 }, (_, at) => `"k${at}":0`)
  expect(result(`{${keys.slice(1).join()}}`)).toHaveLength(512)
  expect(result(`{${keys.join()}}`)).toEqual(['invalid', 'It has too many fields.'])
})

it('lets another watch each step of its walk behind the opening', () => {
  const seen: unknown[] = []
  const body = Buffer.from('{"a":["x",1]}')
  readFieldRanges(body, 0, body.length, [], ({ depth, keyStart }, token) =>
    seen.push([token, depth, keyStart]),
  )
  expect(seen).toEqual([
    [open, 2, 1],
    [text, 2, -1],
    [scalar, 2, -1],
    [close, 1, -1],
    [close, 0, -1],
  ])
})
