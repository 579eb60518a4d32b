// @vitest-environment happy-dom
import { screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { expect, it } from 'vitest'
import { SignedInOnly } from '../../layout/session/guards.tsx'
import { data, type Request, serve, show } from '../../test/setup.tsx'
import { Backups } from './backups.tsx'

const run = {
  ...{ id: 1, started_at: 1_790_000_000, ended_at: 1_790_000_009, node: 'hub-1', actor: '' },
  ...{ bytes: 3 * 1_048_576, rows: 1234, error: '' },
}

it('backups are listed with their size or their error, and one is started by the button', async () => {
  const runs: object[] = [
    { ...run, id: 2, state: 'failed', file: '', bytes: 0, rows: 0, error: 'the disk is full' },
    { ...run, state: 'succeeded', file: '/data/backups/a.jsonl.gz' },
  ]
  const requests = serve(({ path, method }: Request) => {
    if (path === '/api/user/session') return data({ id: 1, username: 'root', role: 100 })
    if (path === '/api/system_info/backups') return data(runs)
    if (method === 'POST') {
      runs.unshift({ ...run, id: 3, state: 'succeeded', file: '/data/backups/b.jsonl.gz' })
      return data({ id: 3 })
    }
    return data(null)
  })
  await show(<SignedInOnly />, '/panel/system_info', <Backups />)
  expect(await screen.findByText('the disk is full')).toBeTruthy()
  expect(screen.getByText('Failed')).toBeTruthy()
  expect(screen.getByText('3.0 MiB')).toBeTruthy()
  expect(screen.getByText('1,234')).toBeTruthy()
  await userEvent.click(screen.getByRole('button', { name: 'Back up now' }))
  expect(await screen.findByText('/data/backups/b.jsonl.gz')).toBeTruthy()
  expect(requests.filter(each => each.method === 'POST').map(each => each.path)).toEqual([
    '/api/system_info/backup',
  ])
})
