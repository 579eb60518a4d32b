import { expect, it } from 'vitest'
import { saferRuntime } from './safer-version.ts'

it('S52 a Node without a published security fix is known by its version', () => {
  expect(saferRuntime('v26.10.0')).toBe('26.12.1')
  expect(saferRuntime('24.22.0')).toBe('24.22.1')
  expect(saferRuntime('20.19.0')).toBe('22.23.4')
  expect(saferRuntime('v23.9.0')).toBe('24.22.1')
})

it('S52 a Node with all fixes is not complained about', () => {
  for (const version of ['22.23.4', '24.22.1', '24.30.0', '26.12.1', 'v26.13.0', '28.0.0'])
    expect(saferRuntime(version)).toBeUndefined()
})
