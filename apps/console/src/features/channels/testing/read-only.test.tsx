import { screen } from '@testing-library/react'
import { expect, it } from 'vitest'
import { show } from '../../../test/setup.tsx'
import { storedChannel } from '../../../test/stored-channel.ts'
import { ResponseBadge } from '../status.tsx'
import { ResultBadge, storedResult } from './result.tsx'
import { testModelOf } from './run-tests.ts'

it.each([
  ['none', 'Cannot be tested free of charge'],
  ['models', 'Key accepted (model list)'],
  ['tasks', 'Key accepted (task list)'],
  ['balance', 'Key accepted (balance)'],
] as const)('a test of kind %s says “%s” in the list and on the page', async (kind, text) => {
  const channel = storedChannel({ test_kind: kind, test_time: 1_790_000_000 })
  const result = storedResult({ model: 'm', at: 1_790_000_000, ms: 0, error: '', kind })
  await show(
    <>
      <ResponseBadge channel={channel} />
      <ResultBadge result={result} />
    </>,
  )
  expect(screen.getAllByText(text)).toHaveLength(2)
  expect(screen.queryByText('Test failed')).toBeNull()
})

it('the tested model is one of the models of the channel', () => {
  expect(testModelOf({ models: 'a,b', test_model: 'b' })).toBe('b')
  expect(testModelOf({ models: 'a,b', test_model: 'gone' })).toBe('a')
  expect(testModelOf({ models: 'x*', test_model: 'x-1' })).toBe('x-1')
  expect(testModelOf({ models: 'x*', test_model: 'y' })).toBeUndefined()
})
