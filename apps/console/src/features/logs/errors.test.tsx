// @vitest-environment happy-dom
import { type CallRoute, callFaults, type Log } from '@hub/contract'
import { screen, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { expect, it } from 'vitest'
import { queryClient } from '../../api/session.ts'
import { sessionQuery } from '../../api/site.ts'
import { data, refusal, serve, show } from '../../test/setup.tsx'
import { errorCodeFilter } from './errors.tsx'
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

const route: CallRoute = {
  ...{ id: 7, model: 'gpt-4o', request_time: 40, candidates: 25, priority: 5, drawn_from: 2 },
  attempts: [
    {
      ...{ channel_id: 3, channel: 'west', code: 'upstream.failed', status: 500 },
      ...{ after: 1, milliseconds: 12, detail: '500 server_error out of memory' },
    },
  ],
  ...{ served: null, stop: 'retry_limit', more: 20 },
  passed_over: [
    {
      ...{ channel_id: 4, channel: 'east', priority: 9 },
      ...{ reason: 'cooling_down', milliseconds: 3_000 },
    },
    { channel_id: 5, channel: 'south', priority: 0, reason: 'lower_priority' },
  ],
  disabled: [{ channel_id: 6, channel: 'north', status: 3 }],
}

const open = async (address: string, { of = row, role = 100, routed = route } = {}) => {
  const requests = serve(({ path }) => {
    if (path === '/api/user/session')
      return data({ id: 1, username: 'root', role, group: 'default' })
    if (path.endsWith('/histogram'))
      return data({ begin: 0, end: 0, step: 1, buckets: [], complete: true })
    if (path.endsWith('/stat')) return data({ quota: 0 })
    if (path.endsWith('/route')) return data(routed)
    if (path.endsWith('/receipt')) return refusal(404, 'resource.missing')
    return data({ data: [of], page: 1, size: 10, total_count: 1, total_exact: true })
  })
  queryClient.clear()
  await queryClient.prefetchQuery(sessionQuery)
  return { requests, router: await show(<LogsPage />, address) }
}

const openDrawer = async (text: string) => {
  await userEvent.click(await screen.findByText(text))
  return within(await screen.findByRole('dialog'))
}

it('the tab “Errors” lists failed calls by code, and the drawer shows the route', async () => {
  const { requests } = await open('/?log_type=5&code=upstream.failed')
  const cell = await screen.findByText('upstream.failed')
  expect(cell.parentElement?.textContent).toContain('× 3')
  const list = requests.find(each => each.path === '/api/log/')
  expect(list?.query.get('log_type')).toBe('5')
  expect(list?.query.get('code')).toBe('upstream.failed')
  const drawer = await openDrawer('upstream.failed')
  expect(await drawer.findByText('500 server_error out of memory')).toBeTruthy()
  expect(drawer.getByText('3 (west)', { selector: 'strong' })).toBeTruthy()
  expect(drawer.getByText('500 · upstream.failed')).toBeTruthy()
  expect(drawer.getByText(/No channel answered\. The number of retries was used up\./)).toBeTruthy()
  expect(drawer.getByText('Cooling down for another 3.00 s')).toBeTruthy()
  expect(drawer.getByText('Lower priority')).toBeTruthy()
  expect(drawer.getByText('And 20 more')).toBeTruthy()
  expect(drawer.getByText('6 (north)')).toBeTruthy()
  expect(drawer.getByText('99')).toBeTruthy()
})

it('the drawer of an answered call says how its channel was chosen', async () => {
  const answered = {
    ...{ ...row, type: 2, content: '', quota: 5 },
    metadata: { request_id: '99', finish: 'complete' },
  }
  const served = {
    ...{ channel_id: 8, channel: 'new', after: 13, milliseconds: 27, first_byte: 20 },
  }
  const { stop: _, ...rest } = route
  await open('/?log_type=2', { of: answered, routed: { ...rest, served, disabled: [] } })
  const drawer = await openDrawer('gpt-4o')
  expect(await drawer.findByText(/8 \(new\) answered after one failed attempt\./)).toBeTruthy()
  expect(drawer.getByText(/Drawn by weight among 2 channels of priority 5\./)).toBeTruthy()
  expect(drawer.getByText('Answered')).toBeTruthy()
})

const answered = {
  ...row,
  type: 2,
  content: '',
  metadata: { request_id: '99', finish: 'complete' },
}
const served = { channel_id: 8, channel: 'new', after: 13, milliseconds: 27, first_byte: 20 }

it('the drawer of an answered call says that further channels are not listed', async () => {
  const { stop: _, ...rest } = route
  const passed_over = Array.from({ length: 20 }, (_, at) => ({
    ...{ channel_id: 100 + at, channel: `c${at}`, priority: 0, reason: 'chat_only' as const },
  }))
  const routed = { ...rest, served, passed_over, more: 0, disabled: [] }
  await open('/?log_type=2', { of: answered, routed })
  const drawer = await openDrawer('gpt-4o')
  expect(await drawer.findByText('119 (c19)')).toBeTruthy()
  expect(drawer.getByText('Further ones are neither listed nor counted')).toBeTruthy()
})

it('an attempt that another one made needless has its own badge, and is no failure', async () => {
  const { stop: _, ...rest } = route
  const cancelled = { ...route.attempts[0]!, code: 'hedge.cancelled', status: null, detail: '' }
  const routed = { ...rest, served, attempts: [cancelled], passed_over: [], more: 0, disabled: [] }
  await open('/?log_type=2', { of: answered, routed })
  const drawer = await openDrawer('gpt-4o')
  expect(await drawer.findByText('Answered first by another attempt')).toBeTruthy()
  expect(drawer.queryByText('hedge.cancelled')).toBeNull()
  expect(drawer.getByText(/8 \(new\) answered\./)).toBeTruthy()
})

it('S26 a user’s drawer asks for no route', async () => {
  const { requests } = await open('/?log_type=5', { role: 1 })
  const drawer = await openDrawer('upstream.failed')
  expect(drawer.getByText('99')).toBeTruthy()
  expect(requests.some(each => each.path.endsWith('/route'))).toBe(false)
})

it('a change of the tab drops the filter by code, which only errors have', async () => {
  const { router } = await open('/?log_type=5&code=upstream.failed')
  await userEvent.click(await screen.findByRole('tab', { name: 'Consumption' }))
  expect(router.state.location.search).toBe('?log_type=2')
})

it('the filter by code offers every code of calls', () => {
  const values = errorCodeFilter.options ?? []
  expect(values.map(each => each.value)).toEqual(['caller.left', ...callFaults])
})

it('the drawer shows the code that the client was sent, and the figures of a refusal', async () => {
  const refusal = { limit_of: 'token', limit: 60, retry_after: 3, needed: 1_234, available: 56 }
  const metadata = { ...row.metadata, response_code: 'rate_limit_exceeded', refusal }
  await open('/?log_type=5', { of: { ...row, metadata } })
  const drawer = await openDrawer('upstream.failed')
  for (const text of ['rate_limit_exceeded', 'this API key', '60', '1,234', '56'])
    expect(drawer.getByText(text)).toBeTruthy()
})
