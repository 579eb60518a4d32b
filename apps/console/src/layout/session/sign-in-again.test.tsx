// @vitest-environment happy-dom
import { screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { expect, it, vi } from 'vitest'
import { z } from 'zod'
import { api } from '../../api'
import { data, type Request, refusal, serve, show } from '../../test/setup.tsx'
import { SchemaForm } from '../../ui'
import { SignedInOnly } from './guards.tsx'

const users = { ada: { id: 2, username: 'ada', role: 1 }, lin: { id: 3, username: 'lin', role: 1 } }
const Form = z.object({ display_name: z.string() })

/** A form of Ada's, whose session ends while she edits. */
const openForm = async () => {
  let user: object | null = users.ada
  const requests = serve(({ path, method, body }: Request) => {
    if (path === '/api/user/login') {
      const { username } = body as { username: keyof typeof users }
      user = users[username]
      return data(user)
    }
    if (path === '/api/user/session') return data(user)
    if (path === '/api/user/self' && method === 'PUT')
      return user ? data(user) : refusal(401, 'session.missing')
    return data(null)
  })
  const form = <SchemaForm resource="profile" schema={Form} submit={api.profile.update} />
  const router = await show(<SignedInOnly />, '/panel/profile?tab=1', form)
  await userEvent.type(await screen.findByLabelText(/Display name/), 'Ada L.')
  user = null
  await userEvent.click(screen.getByRole('button', { name: 'Save' }))
  await screen.findByRole('dialog', { name: 'Your session has ended' })
  return { router, writes: () => requests.filter(each => each.method === 'PUT') }
}

const signIn = async (username: string) => {
  const name = await screen.findByLabelText(/Username or email/)
  expect(name).toHaveProperty('value', 'ada')
  await userEvent.clear(name)
  await userEvent.type(name, username)
  await userEvent.type(screen.getByLabelText(/^Password/), 'a-password')
  await userEvent.click(screen.getByRole('button', { name: 'Sign in' }))
}

it('a form outlives its session, and is sent once more after the same user signed in', async () => {
  const { writes } = await openForm()
  expect(localStorage.getItem('user')).toBeNull()
  expect(screen.getByLabelText(/Display name/)).toHaveProperty('value', 'Ada L.')
  expect(writes()).toHaveLength(1)
  await signIn('ada')
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
  expect(writes().map(each => each.body)).toEqual([
    { display_name: 'Ada L.' },
    { display_name: 'Ada L.' },
  ])
  expect(screen.getByLabelText(/Display name/)).toHaveProperty('value', 'Ada L.')
  expect(JSON.parse(localStorage.getItem('user') ?? '{}')).toMatchObject({ id: 2 })
})

it('another user gets a new page and never sends what the first one wrote', async () => {
  const replace = vi.spyOn(location, 'replace').mockImplementation(() => undefined)
  const { writes } = await openForm()
  await signIn('lin')
  await waitFor(() => expect(replace).toHaveBeenCalledWith('/panel'))
  expect(screen.queryByLabelText(/Display name/)).toBeNull()
  expect(writes()).toHaveLength(1)
})

it('cancelling leads to the sign-in page, which returns to the page', async () => {
  const { router, writes } = await openForm()
  await userEvent.click(screen.getByRole('button', { name: 'Cancel' }))
  await waitFor(() => expect(router.state.location.pathname).toBe('/login'))
  expect(router.state.location.state).toEqual({ returnTo: '/panel/profile?tab=1' })
  expect(writes()).toHaveLength(1)
})
