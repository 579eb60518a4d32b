// @vitest-environment happy-dom
import type { Task } from '@hub/contract'
import { screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { expect, it } from 'vitest'
import { queryClient } from '../../api/session.ts'
import { sessionQuery } from '../../api/site.ts'
import { data, type Request, serve, show } from '../../test/setup.tsx'
import { TasksPage } from './page.tsx'

const task: Task = {
  ...{ id: 1, task_id: 'task_1', platform: 'video', action: 'text2video', model: 'kling-v1' },
  ...{ user_id: 2, username: 'ada', token_id: 3, channel_id: 0, channel: null, progress: 100 },
  ...{ status: 'SUCCESS', fail_reason: '', orphan: false, quota: 100, billing: 'charged' },
  ...{ submit_time: 1_763_600_000, start_time: 1_763_600_001, finish_time: 1_763_600_060 },
  ...{ deleted: false, can_cancel: false, prompt: 'A dog', results: [] },
  ...{ callback: 'none', callback_failure: '' },
}

const open = async (role: number, rows: Task[], address = '/') => {
  const requests = serve(({ path }: Request) => {
    if (path === '/api/user/session')
      return data({ id: 2, username: 'ada', role, group: 'default' })
    if (path.endsWith('/callback-secret')) return data('whsec_1')
    if (path.endsWith('/raw'))
      return data({
        upstream_id: 'u-1',
        prompt: 'A dog of the user',
        request: { seconds: 5 },
        data: {},
      })
    return data({ data: rows, page: 1, size: 10, total_count: rows.length, total_exact: true })
  })
  await queryClient.prefetchQuery(sessionQuery)
  await show(<TasksPage />, address)
  await screen.findAllByText('kling-v1')
  return requests
}
const pathsOf = (requests: Request[]) => requests.map(each => each.path)

it('a user reads their own tasks, without the channel and the data of the provider', async () => {
  const requests = await open(1, [task], '/?open=1')
  expect(await screen.findByText('A dog')).toBeTruthy()
  expect(pathsOf(requests)).toContain('/api/task/self')
  expect(pathsOf(requests)).not.toContain('/api/task/')
  expect(screen.queryByText('User / channel')).toBeNull()
  expect(screen.queryByRole('button', { name: 'Show provider data' })).toBeNull()
  expect(screen.getByRole('link', { name: 'Show the charge in the logs' })).toBeTruthy()
})

it('an administrator sees orphans, and reads the data of the provider on demand', async () => {
  const orphan = { ...task, status: 'FAILURE' as const, orphan: true, billing: 'released' as const }
  const requests = await open(10, [orphan], '/?open=1&orphan=true')
  expect((await screen.findAllByText('Possible orphan')).length).toBeGreaterThan(0)
  expect(requests.find(each => each.path === '/api/task/')?.query.get('orphan')).toBe('true')
  expect(screen.queryByRole('link', { name: 'Show the charge in the logs' })).toBeNull()
  expect(pathsOf(requests)).not.toContain('/api/task/1/raw')
  await userEvent.click(screen.getByRole('button', { name: 'Show provider data' }))
  expect(await screen.findByText('u-1')).toBeTruthy()
  expect(screen.getByText('A dog of the user')).toBeTruthy()
})

it('the page asks again while a task runs', async () => {
  const running = { ...task, status: 'IN_PROGRESS' as const, progress: 40, finish_time: 0 }
  const requests = await open(1, [running])
  const count = () => pathsOf(requests).filter(path => path === '/api/task/self').length
  await waitFor(() => expect(count()).toBeGreaterThan(1))
})

it('a result is grouped by work, with its text and a player for each file', async () => {
  const song = {
    ...{ title: 'Rain', tags: 'jazz', text: 'It rains.' },
    files: [
      { kind: 'audio' as const, url: '/v1/videos/task_1/content?index=0&expires=1' },
      { kind: 'image' as const, url: '/v1/videos/task_1/content?index=1&expires=1' },
    ],
  }
  await open(1, [{ ...task, results: [song] }], '/?open=1')
  expect(await screen.findByText('Rain')).toBeTruthy()
  expect(screen.getByText('It rains.')).toBeTruthy()
  expect(screen.getByLabelText('Audio').getAttribute('src')).toContain('index=0')
  expect(screen.getByAltText('Image').getAttribute('src')).toContain('index=1')
})

it('a callback that was given up says why', async () => {
  const failed = { ...task, callback: 'given_up' as const, callback_failure: 'status 500' }
  const requests = await open(1, [failed], '/?open=1')
  expect((await screen.findAllByText('Given up')).length).toBeGreaterThan(0)
  expect(screen.getByText('status 500')).toBeTruthy()
  expect(pathsOf(requests)).not.toContain('/api/task/callback-secret')
})

it('the secret of callbacks is shown on demand, and replaced after a question', async () => {
  const requests = await open(1, [task])
  await userEvent.click(await screen.findByRole('button', { name: 'Callback secret' }))
  expect(await screen.findByText('whsec_1')).toBeTruthy()
  await userEvent.click(screen.getByRole('button', { name: 'Replace the secret' }))
  const question = within(await screen.findByRole('alertdialog'))
  await userEvent.click(question.getByRole('button', { name: 'Replace the secret' }))
  await waitFor(() =>
    expect(requests.map(({ method, path }) => `${method} ${path}`)).toContain(
      'POST /api/task/callback-secret',
    ),
  )
})

it('a task that has not begun is cancelled after a question', async () => {
  const queued = { ...task, status: 'QUEUED' as const, can_cancel: true, finish_time: 0 }
  const requests = await open(1, [queued], '/?open=1')
  await userEvent.click(await screen.findByRole('button', { name: 'Cancel the task' }))
  const question = within(await screen.findByRole('alertdialog'))
  await userEvent.click(question.getByRole('button', { name: 'Cancel the task' }))
  await waitFor(() => expect(pathsOf(requests)).toContain('/api/task/1/cancel'))
})
