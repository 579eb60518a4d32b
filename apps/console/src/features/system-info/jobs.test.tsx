// @vitest-environment happy-dom
import { jobNames } from '@hub/contract'
import { screen, within } from '@testing-library/react'
import { expect, it } from 'vitest'
import { SignedInOnly } from '../../layout/session/guards.tsx'
import { data, serve, show } from '../../test/setup.tsx'
import { Jobs } from './jobs.tsx'

const at = 1_790_000_000
const job = {
  ...{ state: 'succeeded', due_at: at + 3_600, started_at: at, succeeded_at: at },
  ...{ duration_ms: 1_234, epoch: null, error: '' },
}

it('every job is shown by its name, and one that failed stands first with its reason', async () => {
  const failed = { ...job, state: 'failed', error: 'the disk is full' }
  serve(({ path }) => {
    if (path === '/api/user/session') return data({ id: 1, username: 'root', role: 100 })
    return data(
      jobNames.map(name => (name === 'update-prices' ? { ...failed, name } : { ...job, name })),
    )
  })
  await show(<SignedInOnly />, '/panel/system_info', <Jobs />)
  const [, first, ...others] = await screen.findAllByRole('row')
  for (const text of ['Update prices', 'Failed', 'the disk is full'])
    expect(within(first!).getByText(text)).toBeTruthy()
  expect(others).toHaveLength(jobNames.length - 1)
  expect(within(others[0]!).getByText('1,234 ms')).toBeTruthy()
  expect(document.body.textContent).not.toContain('system-info.jobs')
})
