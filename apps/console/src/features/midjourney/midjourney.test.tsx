// @vitest-environment happy-dom
import type { MidjourneyTask } from '@hub/contract'
import { fireEvent, screen, waitFor } from '@testing-library/react'
import { expect, it } from 'vitest'
import { queryClient } from '../../api/session.ts'
import { sessionQuery } from '../../api/site.ts'
import { data, type Request, serve, show } from '../../test/setup.tsx'
import { MidjourneyPage } from './page.tsx'

const task: MidjourneyTask = {
  ...{ id: 1, mj_id: '4294967297', action: 'IMAGINE', mode: 'turbo', model: 'mj_turbo_imagine' },
  ...{ user_id: 2, username: 'ada', token_id: 3, channel_id: 0, channel: null },
  ...{ status: 'SUCCESS', progress: '100%', fail_reason: '', quota: 100, billing: 'charged' },
  ...{ submit_time: 1_763_600_000, start_time: 1_763_600_001, finish_time: 1_763_600_090 },
  ...{ prompt: '一只猫', prompt_en: 'A cat', video_urls: [] },
  image_url: '/mj/image/4294967297?index=0&expires=1',
}

const open = async (role: number, row: MidjourneyTask, address = '/') => {
  const requests = serve(({ path }: Request) => {
    if (path === '/api/user/session')
      return data({ id: 2, username: 'ada', role, group: 'default' })
    return data({ data: [row], page: 1, size: 10, total_count: 1, total_exact: true })
  })
  await queryClient.prefetchQuery(sessionQuery)
  await show(<MidjourneyPage />, address)
  await screen.findAllByText(row.mj_id)
  return requests
}
const pathsOf = (requests: Request[]) => requests.map(each => each.path)

it('a user sees the image, both prompts and the mode of their own task, and no channel', async () => {
  const requests = await open(1, task, '/?open=1')
  const image = await screen.findByAltText('Image')
  expect(image.getAttribute('src')).toBe(task.image_url)
  expect(screen.getAllByText('A cat').length).toBeGreaterThan(0)
  expect(screen.getAllByText('Turbo').length).toBeGreaterThan(0)
  expect(pathsOf(requests)).toContain('/api/mj/self')
  expect(pathsOf(requests)).not.toContain('/api/mj/')
  expect(screen.queryByText('User / channel')).toBeNull()
  expect(screen.queryByRole('link', { name: 'Show prompt and provider data' })).toBeNull()
  fireEvent.error(image)
  expect(await screen.findByText('The image is no longer available.')).toBeTruthy()
})

it('an administrator sees the channel, the failure reason and a link to the raw data', async () => {
  const failed: MidjourneyTask = {
    ...{ ...task, status: 'FAILURE', billing: 'released', image_url: '', prompt: '' },
    ...{ fail_reason: 'Banned', channel_id: 7, channel: { id: 7, name: 'Images' } },
  }
  const requests = await open(10, failed, '/?open=1')
  expect(pathsOf(requests)).toContain('/api/mj/')
  expect(screen.getAllByText('7 (Images)').length).toBeGreaterThan(0)
  expect(screen.getAllByText('Banned').length).toBeGreaterThan(0)
  expect(screen.getByRole('link', { name: 'Show prompt and provider data' })).toBeTruthy()
  expect(screen.queryByRole('link', { name: 'Show the charge in the logs' })).toBeNull()
})

it('the page asks again while a task runs', async () => {
  const running: MidjourneyTask = { ...task, status: 'IN_PROGRESS', progress: '40%' }
  const requests = await open(1, { ...running, finish_time: 0 })
  expect(screen.getAllByText('40%').length).toBeGreaterThan(0)
  const count = () => pathsOf(requests).filter(path => path === '/api/mj/self').length
  await waitFor(() => expect(count()).toBeGreaterThan(1))
})
