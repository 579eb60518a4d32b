// @vitest-environment happy-dom

import { roles } from '@hub/contract'
import { screen, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { expect, it, vi } from 'vitest'
import { queryClient } from '../../api/session.ts'
import { data, type Request, serve, show } from '../../test/setup.tsx'
import { Palette } from './palette.tsx'

const page = (rows: object[]) =>
  data({ data: rows, page: 1, size: 5, total_count: 1, total_exact: true })

const respond = ({ path }: Request) => {
  if (path === '/api/channel/') return page([{ id: 3, name: 'Main account' }])
  if (path === '/api/user/') return page([{ id: 7, username: 'mainuser' }])
  if (path === '/api/token/') return page([{ id: 9, name: 'main laptop' }])
  return data(['main-model'])
}

const open = async (role: number) => {
  const requests = serve(respond)
  queryClient.setQueryData(['profile', 'session'], { id: 1, username: 'u', role })
  const router = await show(<Palette close={vi.fn()} />)
  return { requests, router }
}

it('an administrator finds channels, users, tokens and models by name, and goes there', async () => {
  const { router } = await open(roles.admin)
  await userEvent.type(screen.getByRole('combobox'), 'main')
  const list = screen.getByRole('listbox')
  const option = await within(list).findByRole('option', { name: /Main account/ })
  expect(
    within(list)
      .getAllByRole('option')
      .map(each => each.textContent),
  ).toEqual(['Main accountChannel', 'mainuserUser', 'main laptopToken', 'main-modelModel'])
  await userEvent.click(option)
  expect(router.state.location.pathname).toBe('/panel/channel/3')
})

it('a user asks for the own tokens and models only, and a number opens the call', async () => {
  const { requests, router } = await open(roles.user)
  await userEvent.type(screen.getByRole('combobox'), '4294967337')
  await screen.findByRole('option', { name: /4294967337/ })
  await userEvent.keyboard('{Enter}')
  expect(router.state.location.pathname).toBe('/panel/log/4294967337')
  const called = requests.map(({ path }) => path).filter(path => path !== '/api/status')
  const paths = new Set(called)
  expect([...paths].toSorted()).toEqual(['/api/log/self/models', '/api/token/'])
})
