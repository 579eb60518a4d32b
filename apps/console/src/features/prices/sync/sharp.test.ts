import type { PriceChange } from '@hub/contract'
import { expect, it } from 'vitest'
import { isSharp } from './sharp.ts'

const change = (
  input: number | null,
  output: number | null,
  kind: PriceChange['kind'] = 'change',
) =>
  isSharp({
    model: 'm',
    kind,
    before: null,
    after: null,
    input_percent: input,
    output_percent: output,
  })

it('a price that moves by more than half, or from nothing, must be looked at', () => {
  expect([change(50, -50), change(50.01, 0), change(0, -50.01), change(null, 0)]).toEqual([
    false,
    true,
    true,
    true,
  ])
})

it('a new or a deleted price has nothing to compare', () => {
  expect([change(null, null, 'add'), change(null, null, 'remove')]).toEqual([false, false])
})
