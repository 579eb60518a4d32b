// @vitest-environment happy-dom
import type { TelegramMenu, TelegramState } from '@hub/contract'
import { screen, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { expect, it } from 'vitest'
import { SignedInOnly } from '../../layout/session/guards.tsx'
import { data, type Request, serve, show } from '../../test/setup.tsx'
import { TelegramPage } from './page.tsx'

const menu: TelegramMenu = {
  id: 3,
  command: 'price',
  description: 'Our prices',
  parse_mode: 'MarkdownV2',
  reply_message: '*1 USD*',
}
const running: TelegramState = {
  status: true,
  is_webhook: false,
  state: 'polling',
  node: 7,
  username: 'hub_bot',
  last_error: '',
  last_error_time: 0,
}

const open = async (state: Partial<TelegramState> = {}, role = 100) => {
  const requests = serve(({ method, path }: Request) => {
    if (path === '/api/user/session') return data({ id: 1, role })
    if (path === '/api/option/telegram/status') return data({ ...running, ...state })
    if (method !== 'GET') return data(menu)
    return data({ data: [menu], page: 1, size: 10, total_count: 1, total_exact: true })
  })
  await show(<SignedInOnly />, '/panel/telegram', <TelegramPage />)
  return requests
}
const sent = (requests: Request[]) =>
  requests
    .filter(each => each.method !== 'GET')
    .map(({ method, path, body }) => ({ method, path, body }))

it('the page shows where the bot runs, and reloads its commands', async () => {
  const requests = await open()
  expect(await screen.findByText('Online (polling, node 7)')).toBeTruthy()
  expect(screen.getByRole('link', { name: '@hub_bot' }).getAttribute('href')).toBe(
    'https://t.me/hub_bot',
  )
  await userEvent.click(screen.getByRole('button', { name: 'Reload commands' }))
  expect(sent(requests)).toEqual([{ method: 'PUT', path: '/api/option/telegram/reload', body: {} }])
})

it('a failure is shown, and a bot that does not run has nothing to reload', async () => {
  await open({ status: false, state: 'failed', username: '', last_error: 'getMe: Unauthorized' })
  expect(await screen.findByText(/getMe: Unauthorized/)).toBeTruthy()
  const button = screen.getByRole('button', { name: 'Reload commands' }) as HTMLButtonElement
  expect(button.disabled).toBe(true)
})

it('the editor shows the message as Telegram will, and what it would refuse', async () => {
  const requests = await open()
  await userEvent.click(await screen.findByRole('button', { name: 'Actions for /price' }))
  await userEvent.click(screen.getByRole('menuitem', { name: 'Edit' }))
  const dialog = within(await screen.findByRole('dialog'))
  const preview = () => within(dialog.getByRole('region', { name: 'Preview' }))
  expect(preview().getByText('1 USD')).toBeTruthy()
  const message = dialog.getByRole('textbox', { name: /^Message/ })
  await userEvent.clear(message)
  await userEvent.type(message, '7.2')
  expect(preview().getByRole('status').textContent).toMatch(/"\." at 2 needs a backslash/)
  await userEvent.clear(message)
  await userEvent.type(message, '7\\.2')
  await userEvent.click(dialog.getByRole('button', { name: 'Save command' }))
  expect(sent(requests)).toEqual([
    { method: 'PUT', path: '/api/option/telegram/', body: { ...menu, reply_message: '7\\.2' } },
  ])
})

it('an administrator who is not root is told so', async () => {
  const requests = await open({}, 10)
  expect(await screen.findByRole('heading', { name: 'No access' })).toBeTruthy()
  expect(requests.some(each => each.path.includes('telegram'))).toBe(false)
})
