import { expect, it } from 'vitest'
import { parseTraceParent } from './traceparent.ts'

const [trace, span] = ['4bf92f3577b34da6a3ce929d0e0e4736', '00f067aa0ba902b7']

it('reads trace and span of the caller, also of later versions', () => {
  const expected = { traceId: trace, spanId: span }
  expect(parseTraceParent(`00-${trace}-${span}-01`)).toEqual(expected)
  expect(parseTraceParent(`00-${trace}-${span}-00`)).toEqual(expected)
  expect(parseTraceParent(`01-${trace}-${span}-01-more`)).toEqual(expected)
})

it('ignores a header that is not valid', () => {
  for (const wrong of [
    undefined,
    '',
    `ff-${trace}-${span}-01`,
    `00-${trace.toUpperCase()}-${span}-01`,
    `00-${'0'.repeat(32)}-${span}-01`,
    `00-${trace}-${'0'.repeat(16)}-01`,
    `00-${trace}-${span}`,
  ])
    expect(parseTraceParent(wrong)).toBeUndefined()
})
