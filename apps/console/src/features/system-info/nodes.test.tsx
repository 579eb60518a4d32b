// @vitest-environment happy-dom
import { screen, within } from '@testing-library/react'
import { expect, it } from 'vitest'
import { SignedInOnly } from '../../layout/session/guards.tsx'
import { data, serve, show } from '../../test/setup.tsx'
import { Nodes } from './nodes.tsx'

const node = {
  ...{ epoch: 7, host: 'hub-1', version: '0.1.0', runtime: 'v26.10.0', state: 'running' },
  ...{ is_answering: true, started_at: 1_790_000_000, reported_at: 1_790_000_100 },
  ...{ live_calls: 1_234, load_percent: 37, lag_ms: 2, memory_mib: 180 },
}

it('each node is shown with its state and figures, and the one that answers is marked', async () => {
  const other = { ...node, epoch: 6, host: 'hub-2', state: 'silent', is_answering: false }
  serve(({ path }) => {
    if (path === '/api/user/session') return data({ id: 1, username: 'root', role: 100 })
    return data([node, other])
  })
  await show(<SignedInOnly />, '/panel/system_info', <Nodes />)
  const [, first, second] = await screen.findAllByRole('row')
  for (const text of ['hub-1', 'Running', 'Answers here', '1,234', '37 %', '180 MiB'])
    expect(within(first!).getByText(text)).toBeTruthy()
  expect(within(second!).getByText('Silent')).toBeTruthy()
  expect(within(second!).queryByText('Answers here')).toBeNull()
})
