import type { PriceChange } from '@hub/contract'
import { expect, it } from 'vitest'
import { isLargeChange } from './large-change.ts'

const change = (
  input: number | null,
  output: number | null,
  kind: PriceChange['kind'] = 'change',
) =>
  isLargeChange({
    model: 'm',
    kind,
    before: null,
    after: null,
    input_percent: input,
    output_percent: output,
  })

it('a change by more than half, or from zero, is a large change', () => {
  expect([change(50, -50), change(50.01, 0), change(0, -50.01), change(null, 0)]).toEqual([
    false,
    true,
    true,
    true,
  ])
})

it('a new or deleted price is not a large change', () => {
  expect([change(null, null, 'add'), change(null, null, 'remove')]).toEqual([false, false])
})
