// @vitest-environment happy-dom
import { screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { expect, it } from 'vitest'
import { queryClient } from '../../api/session.ts'
import { sessionQuery } from '../../api/site.ts'
import { data, type Request, refusal, serve, show } from '../../test/setup.tsx'
import { GroupsPage } from './page.tsx'

const self = { id: 1, username: 'root', role: 100, group: 'default', quota: 0, used_quota: 0 }
const group = (fields: object) => ({
  ...{ ratio: 1, api_rate: 600, public: false, enable: true, promotion: false, min: 0, max: 0 },
  ...{ requests_per_day: null, tokens_per_minute: null, concurrent_requests: null },
  ...{ quota_per_day: null, quota_per_month: null },
  ...fields,
})
const standard = group({ id: 1, symbol: 'default', name: 'Standard' })
const vip = group({ id: 2, symbol: 'vip', name: 'Loyal', promotion: true, min: 100, max: 500 })

const answer = ({ path, method }: Request) => {
  if (path === '/api/user/self') return data(self)
  if (method !== 'GET') return data(vip)
  return data({ data: [standard, vip], page: 1, size: 10, total_count: 2, total_exact: true })
}
const writes = (requests: Request[]) =>
  requests
    .filter(({ method }) => method !== 'GET')
    .map(({ method, path, body }) => [method, path, body])

const open = async (respond = answer) => {
  const requests = serve(respond)
  queryClient.setQueryData(sessionQuery.queryKey, self as never)
  await show(<GroupsPage />)
  await screen.findByText('Loyal')
  return requests
}
const choose = async (name: string, action: string, role = 'alertdialog') => {
  await userEvent.click(await screen.findByRole('button', { name: `Actions for ${name}` }))
  await userEvent.click(screen.getByRole('menuitem', { name: action }))
  return within(await screen.findByRole(role))
}
const retype = async (field: HTMLElement, text: string) => {
  await userEvent.clear(field)
  await userEvent.type(field, text)
}
type Dialog = Awaited<ReturnType<typeof choose>>
const press = (dialog: Dialog, name: string | RegExp) =>
  userEvent.click(dialog.getByRole('button', { name }))

it('a group is created with its ratio, its rate and a promotion by top-ups', async () => {
  const requests = await open()
  await userEvent.click(screen.getAllByRole('button', { name: 'Create group' })[0]!)
  const dialog = within(await screen.findByRole('dialog'))
  await userEvent.type(dialog.getByLabelText(/^Symbol/), 'a b')
  await userEvent.type(dialog.getByLabelText(/^Name/), 'Gold')
  await press(dialog, 'Create group')
  expect(writes(requests)).toEqual([])
  await retype(dialog.getByLabelText(/^Symbol/), 'gold')
  await retype(dialog.getByLabelText(/^Ratio/), '0.8')
  await retype(dialog.getByLabelText(/^Requests per minute/), '1200')
  await userEvent.click(dialog.getByRole('switch', { name: /^Public/ }))
  await press(dialog, /^Automatic promotion/)
  expect(dialog.queryByLabelText(/^From/)).toBeNull()
  await userEvent.click(dialog.getByRole('switch', { name: /^Automatic promotion/ }))
  await retype(dialog.getByLabelText(/^From/), '500')
  await press(dialog, 'Create group')
  await waitFor(() => expect(writes(requests)).toHaveLength(1))
  expect(writes(requests)).toMatchObject([
    [
      'POST',
      '/api/user_group/',
      {
        ...{ symbol: 'gold', name: 'Gold', ratio: 0.8, api_rate: 1200, public: true },
        ...{ promotion: true, min: 500, max: 0, quota_per_day: null },
      },
    ],
  ])
})

it('a promotion is changed, and the symbol stays', async () => {
  const requests = await open()
  const dialog = await choose('Loyal', 'Edit', 'dialog')
  expect(dialog.queryByLabelText(/^Symbol/)).toBeNull()
  await press(dialog, /^Automatic promotion.*\$100 to \$500/)
  await retype(dialog.getByLabelText(/^Below/), '0')
  await press(dialog, 'Save group')
  await waitFor(() => expect(writes(requests)).toHaveLength(1))
  const [[method, path, body]] = writes(requests) as [[string, string, Record<string, unknown>]]
  expect([method, path]).toEqual(['PUT', '/api/user_group/'])
  expect(body).toMatchObject({ id: 2, promotion: true, min: 100, max: 0 })
  expect(body).not.toHaveProperty('symbol')
})

it('disabling a group asks first, and the default group stays', async () => {
  const requests = await open()
  expect(screen.getByRole('switch', { name: 'Enable “Standard”' })).toHaveProperty('disabled', true)
  await userEvent.click(screen.getByRole('switch', { name: 'Enable “Loyal”' }))
  expect(writes(requests)).toEqual([])
  await press(within(await screen.findByRole('alertdialog')), 'Disable')
  await waitFor(() =>
    expect(writes(requests)).toMatchObject([['PUT', '/api/user_group/enable/2', {}]]),
  )
})

it('a group in use is not deleted, and the page says what to do', async () => {
  const requests = await open(request =>
    request.method === 'DELETE' ? refusal(409, 'resource.in_use', 'in use') : answer(request),
  )
  const dialog = await choose('Loyal', 'Delete')
  expect(writes(requests)).toEqual([])
  await userEvent.click(dialog.getAllByRole('button').at(-1)!)
  expect(await screen.findByText(/“Loyal” is still in use/)).toBeTruthy()
  expect(writes(requests)).toMatchObject([['DELETE', '/api/user_group/2', undefined]])
})
