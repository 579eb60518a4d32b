// @vitest-environment happy-dom
import { screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { expect, it } from 'vitest'
import { SignedInOnly } from '../../../layout/session/guards.tsx'
import { data, serve, show } from '../../../test/setup.tsx'
import { Telegram } from './telegram.tsx'

const url = 'https://t.me/hub_bot?start=a-code'

it('an account is bound by a link to the bot, and removed with the password', async () => {
  const user = { id: 2, role: 1, has_password: true, has_second_factor: false, telegram_id: 0 }
  const requests = serve(({ method, path }) => {
    if (path === '/api/user/session') return data({ ...user })
    if (method === 'POST') return data({ url, code: 'a-code', expires_in: 600 })
    if (method === 'DELETE') user.telegram_id = 0
    return data(null)
  })
  await show(<SignedInOnly />, '/panel/profile', <Telegram />)
  await userEvent.click(await screen.findByRole('button', { name: 'Bind Telegram' }))
  await userEvent.type(screen.getByLabelText(/Current password/), 'a-password')
  await userEvent.click(screen.getByRole('button', { name: 'Make a link' }))
  const link = await screen.findByRole('link', { name: 'Open Telegram' })
  expect(link.getAttribute('href')).toBe(url)
  expect(screen.getByText('/bind a-code')).toBeTruthy()

  user.telegram_id = 4711
  expect(await screen.findByText('Your Telegram account is bound.')).toBeTruthy()
  await userEvent.click(screen.getByRole('button', { name: 'Close' }))
  expect(screen.getByText('The Telegram account 4711 is bound.')).toBeTruthy()
  await userEvent.click(screen.getByRole('button', { name: 'Remove' }))
  await userEvent.type(screen.getByLabelText(/Current password/), 'a-password')
  await userEvent.click(screen.getByRole('button', { name: 'Remove' }))
  expect(await screen.findByRole('button', { name: 'Bind Telegram' })).toBeTruthy()
  const body = { current_password: 'a-password' }
  expect(requests.filter(each => each.method !== 'GET')).toMatchObject([
    { method: 'POST', path: '/api/user/telegram', body },
    { method: 'DELETE', path: '/api/user/telegram', body },
  ])
})
