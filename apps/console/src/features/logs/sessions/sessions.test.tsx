import type { CallSession } from '@hub/contract'
import { screen } from '@testing-library/react'
import { expect, it } from 'vitest'
import { queryClient } from '../../../api/session.ts'
import { sessionQuery } from '../../../api/site.ts'
import { data, serve, show } from '../../../test/setup.tsx'
import { SessionsPage } from './page.tsx'

const session: CallSession = {
  key: '0198f0a2-7c11-7b52-9d3e-2f4c1a5b6d70',
  user_id: 9,
  username: 'ann',
  first_at: 1_774_000_000,
  last_at: 1_774_000_090,
  complete: true,
  calls: 12,
  errors: 2,
  quota: 500_000,
  prompt_tokens: 900,
  completion_tokens: 100,
  read_tokens: 675,
  written_tokens: 0,
  request_time: 9_000,
  models: ['claude-sonnet-4-5', 'claude-haiku-4-5', 'gpt-5'],
}

const open = async (role: number, response: object, path = '/') => {
  const requests = serve(({ path: called }) =>
    called.startsWith('/api/log/')
      ? data(response)
      : data({ id: 1, username: 'me', role, group: 'default' }),
  )
  queryClient.clear()
  await queryClient.prefetchQuery(sessionQuery)
  await show(<SessionsPage />, path)
  return requests
}

it('a session of an administrator names its user, and leads to its calls in order', async () => {
  const requests = await open(100, { data: [session], next: '1774000000.5' })
  const link = await screen.findByRole('link', { name: session.key })
  expect(link.getAttribute('href')).toBe(
    `/panel/log?session=${session.key}&order=created_at&username=ann`,
  )
  expect(requests.map(({ path }) => path)).toContain('/api/log/sessions')
  for (const text of ['ann', '12', '2 failed', '1 more', '1 min 30 s', '75% cached'])
    expect([text, screen.queryAllByText(text).length]).toEqual([text, 1])
  expect(screen.getByRole('link', { name: 'Older sessions' }).getAttribute('href')).toContain(
    'after=1774000000.5',
  )
  expect(screen.queryByRole('link', { name: 'Newest sessions' })).toBeNull()
})

it('a user sees their own sessions, without names', async () => {
  const requests = await open(1, { data: [session], next: null }, '/?after=1774000000.5')
  const link = await screen.findByRole('link', { name: session.key })
  expect(link.getAttribute('href')).not.toContain('username')
  const called = requests.find(({ path }) => path === '/api/log/self/sessions')
  expect(called?.query.get('after')).toBe('1774000000.5')
  expect(screen.queryByText('ann')).toBeNull()
  expect(screen.getByRole('link', { name: 'Newest sessions' })).toBeTruthy()
})

it('sums of the newest calls alone say that there are more', async () => {
  await open(100, { data: [{ ...session, complete: false, errors: 0 }], next: null })
  expect(await screen.findByText('≥ 12')).toBeTruthy()
  expect(screen.queryByRole('link', { name: 'Older sessions' })).toBeNull()
})

it('a list without sessions says which clients name one', async () => {
  await open(100, { data: [], next: null })
  expect(await screen.findByText('No sessions yet')).toBeTruthy()
  expect(screen.getByText(/X-Session-Id/)).toBeTruthy()
})
