// @vitest-environment happy-dom
import { screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { expect, it } from 'vitest'
import { queryClient } from '../../api/session.ts'
import { sessionQuery } from '../../api/site.ts'
import { data, type Request, refusal, serve, show } from '../../test/setup.tsx'
import { UsersPage } from './page.tsx'

const account = (fields: object) => ({
  ...{ display_name: '', email: '', avatar_url: '', group: 'default', quota: 1_000_000 },
  ...{ used_quota: 0, request_count: 0, aff_code: '', aff_count: 0, aff_quota: 0, inviter_id: 0 },
  ...{ aff_history_quota: 0, github_id: '', oidc_id: '', wechat_id: '', lark_id: '' },
  ...{ telegram_id: 0, created_time: 1, last_login_time: 0, last_login_ip: '', status: 1 },
  ...{ must_change_password: false, has_access_token: false, has_password: true },
  ...{ has_second_factor: false, has_passkey: false },
  ...fields,
})
const root = account({ id: 1, username: 'root', role: 100 })
const ada = account({ id: 2, username: 'ada', role: 1, email: 'ada@example.com' })
const lin = account({ id: 3, username: 'lin', role: 10 })

const answer = ({ path, method }: Request) => {
  if (path === '/api/user/self') return data(root)
  if (path === '/api/group/') return data(['default', 'vip'])
  if (path === '/api/status') return data({ quota_per_unit: 500_000, display_in_currency: true })
  if (method !== 'GET') return data(null)
  return data({ data: [root, ada, lin], page: 1, size: 10, total_count: 3, total_exact: true })
}

const writes = (requests: Request[]) =>
  requests
    .filter(({ method }) => method !== 'GET')
    .map(({ method, path, body }) => [method, path, body])

const open = async (me: object = root, respond = answer) => {
  const requests = serve(respond)
  queryClient.setQueryData(sessionQuery.queryKey, me as never)
  await show(<UsersPage />)
  await screen.findByText('ada')
  return requests
}
const openMenu = async (name: string) =>
  userEvent.click(await screen.findByRole('button', { name: `Actions for ${name}` }))
const choose = async (name: string, action: string, role = 'dialog') => {
  await openMenu(name)
  await userEvent.click(screen.getByRole('menuitem', { name: action }))
  return within(await screen.findByRole(role))
}
const retype = async (field: HTMLElement, text: string) => {
  await userEvent.clear(field)
  await userEvent.type(field, text)
}
type Dialog = Awaited<ReturnType<typeof choose>>
const press = (dialog: Dialog, name: string) =>
  userEvent.click(dialog.getByRole('button', { name }))
/** The last button of a question confirms it. */
const confirm = (dialog: Dialog) => userEvent.click(dialog.getAllByRole('button').at(-1)!)

it('a user is created with role, group and balance', async () => {
  const requests = await open()
  await userEvent.click(screen.getAllByRole('button', { name: 'Create user' })[0]!)
  const dialog = within(await screen.findByRole('dialog'))
  await press(dialog, 'Create user')
  expect(writes(requests)).toEqual([])
  await userEvent.type(dialog.getByLabelText(/^Username/), 'grace')
  await userEvent.type(dialog.getByLabelText(/^Password/), 'a-long-password')
  await retype(dialog.getByLabelText(/^Balance/), '2')
  for (const [field, option] of [
    ['Role', 'Administrator'],
    ['Group', 'vip'],
  ] as const) {
    await userEvent.click(dialog.getByRole('combobox', { name: new RegExp(`^${field}`) }))
    await userEvent.click(await screen.findByRole('option', { name: option }))
  }
  await press(dialog, 'Create user')
  await waitFor(() => expect(writes(requests)).toHaveLength(1))
  expect(writes(requests)).toMatchObject([
    [
      'POST',
      '/api/user/',
      {
        ...{ username: 'grace', password: 'a-long-password', role: 10, group: 'vip' },
        quota: 1_000_000,
      },
    ],
  ])
})

it('a taken name is shown at the form, which stays open', async () => {
  await open(root, request =>
    request.method === 'POST' ? refusal(409, 'resource.exists', 'exists') : answer(request),
  )
  await userEvent.click(screen.getAllByRole('button', { name: 'Create user' })[0]!)
  const dialog = within(await screen.findByRole('dialog'))
  await userEvent.type(dialog.getByLabelText(/^Username/), 'ada')
  await userEvent.type(dialog.getByLabelText(/^Password/), 'a-long-password')
  await press(dialog, 'Create user')
  expect(await dialog.findByRole('alert')).toBeTruthy()
})

it('editing sends what was changed, and an empty password changes none', async () => {
  const requests = await open()
  const dialog = await choose('ada', 'Edit')
  await retype(dialog.getByLabelText(/^Display name/), 'Ada L.')
  await press(dialog, 'Save user')
  await waitFor(() => expect(writes(requests)).toHaveLength(1))
  const [[method, path, body]] = writes(requests) as [[string, string, Record<string, unknown>]]
  expect([method, path]).toEqual(['PUT', '/api/user/'])
  expect(body).toMatchObject({ id: 2, display_name: 'Ada L.' })
  expect(body.password ?? '').toBe('')
  expect(body).not.toHaveProperty('role')
})

it.each([
  ['ada', 'Promote to administrator', 'promote'],
  ['lin', 'Demote to user', 'demote'],
])('%s: %s asks first', async (username, label, action) => {
  const requests = await open()
  const dialog = await choose(username, label, 'alertdialog')
  expect(writes(requests)).toEqual([])
  await confirm(dialog)
  await waitFor(() =>
    expect(writes(requests)).toEqual([['POST', '/api/user/manage', { username, action }]]),
  )
})

it('a ban asks first, and enabling does not', async () => {
  const banned = { ...lin, status: 2 }
  const requests = await open(root, request =>
    request.path === '/api/user/' && request.method === 'GET'
      ? data({ data: [ada, banned], page: 1, size: 10, total_count: 2, total_exact: true })
      : answer(request),
  )
  await userEvent.click(screen.getByRole('switch', { name: 'Status: ada' }))
  expect(writes(requests)).toEqual([])
  await press(within(await screen.findByRole('alertdialog')), 'Disable')
  await userEvent.click(await screen.findByRole('switch', { name: 'Status: lin' }))
  await waitFor(() =>
    expect(writes(requests)).toEqual([
      ['POST', '/api/user/manage', { username: 'ada', action: 'disable' }],
      ['POST', '/api/user/manage', { username: 'lin', action: 'enable' }],
    ]),
  )
})

it('deleting names the remaining balance and asks first', async () => {
  const requests = await open()
  const dialog = await choose('ada', 'Delete', 'alertdialog')
  expect(dialog.getByText(/Remaining balance: \$2\.00/)).toBeTruthy()
  await press(dialog, 'Cancel')
  expect(writes(requests)).toEqual([])
  await confirm(await choose('ada', 'Delete', 'alertdialog'))
  await waitFor(() =>
    expect(writes(requests)).toMatchObject([['DELETE', '/api/user/2', undefined]]),
  )
})

it('a balance is changed with a remark, and not below zero', async () => {
  const requests = await open()
  const dialog = await choose('ada', 'Change balance')
  await userEvent.type(dialog.getByLabelText(/^Amount in USD/), '1.5')
  await userEvent.type(dialog.getByLabelText(/^Remark/), 'for the outage')
  await press(dialog, 'Add to balance')
  await waitFor(() =>
    expect(writes(requests)).toEqual([
      ['POST', '/api/user/quota/2', { quota: 750_000, remark: 'for the outage' }],
    ]),
  )
  const second = await choose('ada', 'Change balance')
  await press(second, 'Deduct')
  await userEvent.type(second.getByLabelText(/^Amount in USD/), '2.01')
  await press(second, 'Deduct from balance')
  expect(await second.findByText(/Cannot deduct more than the balance of \$2\.00/)).toBeTruthy()
  expect(writes(requests)).toHaveLength(1)
})

it('an administrator manages users only, and says why not the others', async () => {
  await open(lin)
  await openMenu('root')
  for (const name of [/^Edit/, 'Change balance', 'Delete'])
    expect(screen.getByRole('menuitem', { name }).getAttribute('aria-disabled'), String(name)).toBe(
      'true',
    )
  await userEvent.keyboard('{Escape}')
  await openMenu('ada')
  expect(screen.getByRole('menuitem', { name: /^Edit/ }).getAttribute('aria-disabled')).toBeNull()
  expect(screen.getByRole('menuitem', { name: /^Promote/ }).getAttribute('aria-disabled')).toBe(
    'true',
  )
})
