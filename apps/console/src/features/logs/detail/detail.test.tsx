// @vitest-environment happy-dom
import type { Log } from '@hub/contract'
import { screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { Route, Routes } from 'react-router'
import { expect, it } from 'vitest'
import { queryClient } from '../../../api/session.ts'
import { sessionQuery } from '../../../api/site.ts'
import { data, refusal, serve, show } from '../../../test/setup.tsx'
import { LogPage } from './page.tsx'
import { phasesOf } from './phases.ts'
import { curlOf } from './request.ts'

const call: Log = {
  ...{ id: 7, user_id: 2, created_at: 1_763_600_000, type: 2, content: '', username: 'ada' },
  ...{ token_name: 'app', model_name: 'gpt-4o', quota: 50, prompt_tokens: 1, channel_id: 0 },
  ...{ completion_tokens: 1, request_time: 1000, is_stream: true, source_ip: '', channel: null },
  metadata: {
    ...{ first_response: 400, phases: { sent: 5, connected: 25, head: 300 }, finish: 'complete' },
    ...{ path: '/v1/chat/completions', requested_model: 'gpt' },
  },
}
const error: Log = {
  ...{ ...call, id: 8, type: 5, content: 'upstream.failed', quota: 0 },
  metadata: {
    ...{ request_id: '9', operation: 'chat', status: 502, message: 'The provider failed.' },
    ...{ charged: false, count: 1, path: '/v1/messages' },
  },
}

const open = async (log: Log, search = '', role = 1) => {
  const requests = serve(({ path, query }) => {
    if (path === '/api/user/session') return data({ id: 2, username: 'ada', role, group: 'g' })
    if (path === `/api/log/${log.id}`) return data(log)
    if (path === '/api/log/self') {
      const id = query.get('order') === 'created_at' ? 6 : 9
      return data({ data: [{ ...log, id }], page: 1, size: 1, total_count: 1, total_exact: true })
    }
    return refusal(404, 'resource.missing')
  })
  queryClient.clear()
  await queryClient.prefetchQuery(sessionQuery)
  // `show` has no path with an id.
  const page = (
    <Routes>
      <Route path="/panel/log/:id" element={<LogPage />} />
    </Routes>
  )
  const router = await show(page, `/panel/log/${log.id}${search}`)
  return { requests, router }
}

it('the page of an answered call says how it ended, where its time went and how to repeat it', async () => {
  const { requests } = await open(call)
  expect(await screen.findByText('The answer was delivered in full.')).toBeTruthy()
  const times = ['5 ms', '20 ms', '275 ms', '100 ms', '600 ms']
  for (const time of times) expect(screen.getByText(time)).toBeTruthy()
  const command = screen.getByLabelText('curl', { selector: 'pre' }).textContent ?? ''
  expect(command).toContain('/v1/chat/completions')
  expect(command).toContain('Bearer $ONE_HUB_KEY')
  expect(command).toContain('"model": "gpt"')
  expect(command).toContain('"stream": true')
  expect(requests.some(each => each.path.endsWith('/route'))).toBe(false)
})

it('the page of a failed call has its code, its meaning and the message to the client', async () => {
  await open(error)
  expect(await screen.findByText('HTTP 502')).toBeTruthy()
  expect(screen.getAllByText('upstream.failed').length).toBeGreaterThan(0)
  expect(screen.getByText('Nothing was charged.')).toBeTruthy()
  expect(screen.getByLabelText('curl', { selector: 'pre' }).textContent).toContain(
    'x-api-key: $ONE_HUB_KEY',
  )
})

it('arrow keys lead to the neighbours in the filter of the list', async () => {
  const { requests, router } = await open(call, '?log_type=2&model_name=gpt&page=3')
  const isEnabled = (name: string) =>
    waitFor(() => expect(screen.getByRole('button', { name }).hasAttribute('disabled')).toBe(false))
  await isEnabled('Older entry (→)')
  await isEnabled('Newer entry (←)')
  const list = requests.filter(each => each.path === '/api/log/self')
  for (const { query } of list)
    expect([query.get('model_name'), query.get('log_type'), query.get('size')]).toEqual([
      ...['gpt', '2', '1'],
    ])
  expect(list.map(each => each.query.get('after'))).toEqual(['1763600000.7', '1763600000.7'])
  await userEvent.keyboard('{ArrowRight}')
  await waitFor(() => expect(router.state.location.pathname).toBe('/panel/log/9'))
  expect(router.state.location.search).toBe('?log_type=2&model_name=gpt&page=3')
})

it('times that were not measured, or contradict each other, are not shown', () => {
  const keys = (metadata: object) =>
    phasesOf({ ...call, metadata: { ...metadata } }).map(each => each.key)
  expect(keys({ first_response: 400 })).toEqual(['before', 'answer'])
  expect(keys({})).toEqual([])
  const phases = { sent: 5, connected: 0, head: 300 }
  expect(keys({ first_response: 400, phases })).toEqual([])
})

it('a command has the form of its address, and none without an address', () => {
  const texts = { message: "it's yours", rest: 'rest' }
  const at = (path: string | undefined) =>
    curlOf({ ...call, is_stream: false, metadata: { path } }, 'https://hub', texts)
  expect(at(undefined)).toBeUndefined()
  expect(at('/v1/embeddings')).toContain('"input": "it\'\\\'\'s yours"')
  expect(at('/v1beta/models/m:generateContent')).toContain('x-goog-api-key: $ONE_HUB_KEY')
  expect(at('/v1/unknown')).toContain('"…": "rest"')
  expect(at("/v1/a'b/messages")).toContain("'https://hub/v1/a'\\''b/messages'")
})

it('the page names the headers of the client that the provider did not get', async () => {
  const metadata = { ...call.metadata, headers_not_passed: ['x-portkey-config', 'x-user'] }
  await open({ ...call, metadata })
  const text = 'Headers not passed to the provider: x-portkey-config, x-user'
  expect(await screen.findByText(text)).toBeTruthy()
})

it('the page tells the output limit that the balance covered', async () => {
  await open({ ...call, metadata: { ...call.metadata, output_limit: 4_096 } })
  expect(await screen.findByText(/covered an answer of 4,096 tokens/)).toBeTruthy()
})

it('the page of a failed call names them too', async () => {
  await open({ ...error, metadata: { ...error.metadata, headers_not_passed: ['x-user'] } })
  expect(await screen.findByText('Headers not passed to the provider: x-user')).toBeTruthy()
})
