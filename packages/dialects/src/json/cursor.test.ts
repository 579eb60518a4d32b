import { expect, it } from 'vitest'
import {
  bad,
  close,
  cursorOf,
  depthMax,
  done,
  isWord,
  open,
  rewind,
  step,
  text,
  tooDeep,
} from './cursor.ts'
import type { Json } from './json.ts'

const cursor = cursorOf(Buffer.alloc(0))

/** Returns the steps over a text as JSON; undefined for invalid JSON. */
const walk = (bytes: Buffer, start = 0, end = bytes.length): string | undefined => {
  rewind(cursor, bytes, start, end)
  const top: Json[] = []
  const around: Json[] = [top]
  const given = (from: number, to: number) => bytes.toString('utf8', from, to)
  for (;;) {
    const token = step(cursor)
    if (token === done) return JSON.stringify(top[0])
    if (token === bad) return undefined
    if (token === tooDeep) return 'too deep'
    if (token === close) {
      around.pop()
      if (cursor.depth !== around.length - 1) return 'wrong depth'
      continue
    }
    if (cursor.at > end) return 'behind the end'
    const written = given(cursor.start, cursor.at)
    if ((token === text) !== written.startsWith('"')) return 'wrong kind'
    const value = token === open ? (written === '{' ? {} : []) : JSON.parse(written)
    const parent = around.at(-1)!
    if (cursor.keyStart < 0 !== Array.isArray(parent)) return 'wrong key'
    if (Array.isArray(parent)) parent.push(value)
    else parent[JSON.parse(given(cursor.keyStart, cursor.keyEnd))] = value
    if (token === open) around.push(value)
  }
}

const parsed = (json: string): string | undefined => {
  try {
    return JSON.stringify(JSON.parse(json))
  } catch {
    return undefined
  }
}

const samples = [
  ' {"a" : [1 ,-0, 0.5,-12.25e+3,1E-2,9e0 ],\r\n\t"b":{ } ,"c" :[ ],"d":{"e":null}} ',
  '[true,false,null,"","é世😀","\\"\\\\\\/\\b\\f\\n\\r\\t\\u00e9\\uAF09",{"k\\u0041":[[]]},0]',
  '"plain text of more than sixteen letters, then \\" and \\\\ and more"',
  '-10.05E+17',
  ' true ',
]
const signs = ['', ...'"\\/bfnrtuaAFGg`@0189-+.,:;[]{}eE \n\r\t\u0000\u001f\u000b\u007f!#é']

it('stands nowhere before its first step', () => {
  const nowhere = { keyStart: -1, keyEnd: -1, start: -1 }
  const whole = { at: 0, end: 3, depth: 0, after: 'start', ...nowhere }
  expect(cursorOf(Buffer.from('[1]'))).toMatchObject(whole)
})

it.each(samples)('is as strict as JSON.parse: %s, and each text one sign away', sample => {
  expect(walk(Buffer.from(sample))).toBe(parsed(sample))
  const characters = [...sample]
  for (const at of [...characters.keys(), characters.length])
    for (const sign of signs)
      for (const instead of [1, 0]) {
        const wrong = characters.toSpliced(at, instead, sign).join('')
        // Between other bytes, which are none of it.
        const bytes = Buffer.from(`"}${wrong}]0"`)
        if (walk(bytes, 2, bytes.length - 3) !== parsed(wrong))
          expect([wrong, walk(bytes, 2, bytes.length - 3)]).toEqual([wrong, parsed(wrong)])
      }
})

it.each(samples)('what stands behind the end of a text does not complete it: %s', sample => {
  const bytes = Buffer.from(sample)
  for (let end = 0; end < bytes.length; end += 1)
    expect(walk(bytes, 0, end)).toBe(parsed(bytes.toString('utf8', 0, end)))
})

it('each byte of a string is looked at, wherever it stands and wherever the string ends', () => {
  const wrong: unknown[] = []
  for (let byte = 0; byte < 256; byte += 1)
    for (let at = 0; at < 40; at += 1) {
      const long = Buffer.alloc(at < 20 ? at + 1 : 40, 'x')
      long[at] = byte
      const bytes = Buffer.concat([Buffer.from('["'), long, Buffer.from('"]')])
      const isEnd = byte === 0x22 || byte === 0x5c
      rewind(cursor, bytes, 0, bytes.length)
      const tokens = [step(cursor), step(cursor)]
      if (isEnd && at === long.length - 1) continue
      const [ends, isGood] = [cursor.at, tokens[1] === text]
      if (isGood !== (byte >= 0x20 && byte !== 0x5c)) wrong.push([byte, at, tokens])
      else if (isGood && ends !== (byte === 0x22 ? at + 3 : bytes.length - 1))
        wrong.push([byte, at, ends])
    }
  expect(wrong).toEqual([])
})

it(`is ${depthMax} deep at the most, in lists and in objects`, () => {
  const nested = (depth: number) =>
    Buffer.from(`${'[{"a":'.repeat(depth / 2)}0${'}]'.repeat(depth / 2)}`)
  expect(walk(nested(depthMax))).toBe(nested(depthMax).toString())
  expect(walk(nested(depthMax + 2))).toBe('too deep')
  expect(walk(Buffer.from('['.repeat(depthMax + 1)))).toBe('too deep')
  expect(walk(Buffer.from(`[${'[],'.repeat(200)}0]`))).toBe(`[${'[],'.repeat(200)}0]`)
  // A cursor on a new text has forgotten how deep the one before was.
  expect(walk(Buffer.from('[]'))).toBe('[]')
})

it.each([
  ['"model"', true],
  ['"Model"', false],
  ['"modex"', false],
  ['"models"', false],
  ['"mode"', false],
])('%s is the word model: %j', (written, is) => {
  expect(isWord(Buffer.from(`:${written},`), 1, written.length + 1, 'model')).toBe(is)
})
