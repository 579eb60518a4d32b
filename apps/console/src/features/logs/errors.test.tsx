// @vitest-environment happy-dom
import type { Log } from '@hub/contract'
import { screen, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { expect, it } from 'vitest'
import { queryClient } from '../../api/session.ts'
import { sessionQuery } from '../../api/site.ts'
import { data, serve, show } from '../../test/setup.tsx'
import { LogsPage } from './page.tsx'

const row: Log = {
  ...{ id: 7, user_id: 2, created_at: 1_763_600_000, type: 5, content: 'upstream.failed' },
  ...{ username: 'ada', token_name: 'app', model_name: 'gpt-4o', quota: 0 },
  ...{ prompt_tokens: 0, completion_tokens: 0, channel_id: 3, request_time: 40, is_stream: false },
  channel: { id: 3, name: 'west' },
  source_ip: '198.18.0.1',
  metadata: {
    ...{ request_id: '99', operation: 'chat', status: 502, message: 'The provider failed.' },
    ...{ charged: false, count: 3 },
    attempts: [
      {
        ...{ channel_id: 3, channel: 'west', code: 'upstream.failed', status: 500 },
        ...{ milliseconds: 12, detail: '500 server_error out of memory' },
      },
    ],
  },
}

const open = async (address: string) => {
  const requests = serve(({ path }) => {
    if (path === '/api/user/session')
      return data({ id: 1, username: 'root', role: 100, group: 'default' })
    if (path.endsWith('/stat')) return data({ quota: 0 })
    return data({ data: [row], page: 1, size: 10, total_count: 1, total_exact: true })
  })
  await queryClient.prefetchQuery(sessionQuery)
  return { requests, router: await show(<LogsPage />, address) }
}

it('the tab “Errors” lists failed calls by code, and the drawer shows the attempts', async () => {
  const { requests } = await open('/?log_type=5&code=upstream.failed')
  const cell = await screen.findByText('upstream.failed')
  expect(cell.parentElement?.textContent).toContain('× 3')
  const list = requests.find(each => each.path === '/api/log/')
  expect(list?.query.get('log_type')).toBe('5')
  expect(list?.query.get('code')).toBe('upstream.failed')
  await userEvent.click(cell)
  const drawer = within(await screen.findByRole('dialog'))
  expect(drawer.getByText('500 server_error out of memory')).toBeTruthy()
  expect(drawer.getByText('3 (west)', { selector: 'strong' })).toBeTruthy()
  expect(drawer.getByText('99')).toBeTruthy()
})

it('a change of the tab drops the filter by code, which only errors have', async () => {
  const { router } = await open('/?log_type=5&code=upstream.failed')
  await userEvent.click(await screen.findByRole('tab', { name: 'Consumption' }))
  expect(router.state.location.search).toBe('?log_type=2')
})
