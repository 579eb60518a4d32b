// @vitest-environment happy-dom
import { screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { expect, it } from 'vitest'
import { data, type Request, refusal, serve, show } from '../../test/setup.tsx'
import { SignInForm } from './sign-in-form.tsx'

const ada = { id: 2, username: 'ada', role: 1 }

const signIn = async (codes: Record<string, ReturnType<typeof data>>) => {
  const requests = serve(({ path, body }: Request) => {
    if (path === '/api/user/login') return data({ require_2fa: true, token: 'first-step' })
    if (path === '/api/user/login/2fa')
      return codes[(body as { code: string }).code] ?? refusal(400, 'second_factor.wrong')
    return data(null)
  })
  await show(<SignInForm />)
  await userEvent.type(await screen.findByLabelText(/Username or email/), 'ada')
  await userEvent.type(screen.getByLabelText(/^Password/), 'a-password')
  await userEvent.click(screen.getByRole('button', { name: 'Sign in' }))
  await screen.findByLabelText(/^Code/)
  return requests
}
const enter = async (code: string) => {
  await userEvent.type(screen.getByLabelText(/^Code/), code)
  await userEvent.click(screen.getByRole('button', { name: 'Continue' }))
}

it('the second step asks again after a wrong code, and then stores the user', async () => {
  const requests = await signIn({ '123456': data(ada) })
  expect(localStorage.getItem('user')).toBeNull()
  await enter('000000')
  expect((await screen.findByRole('alert')).textContent).toContain('code is wrong')
  await enter('123456')
  await waitFor(() => expect(localStorage.getItem('user')).toContain('ada'))
  expect(requests.filter(each => each.path.endsWith('2fa')).map(each => each.body)).toEqual([
    { token: 'first-step', code: '000000' },
    { token: 'first-step', code: '123456' },
  ])
})

it('a sign-in that has expired starts again with name and password', async () => {
  await signIn({ '000000': refusal(400, 'second_factor.expired') })
  await enter('000000')
  expect((await screen.findByRole('alert')).textContent).toContain('expired')
  expect(screen.queryByRole('button', { name: 'Continue' })).toBeNull()
  await userEvent.click(screen.getByRole('button', { name: 'Start again' }))
  expect(await screen.findByLabelText(/Username or email/)).toBeTruthy()
})
