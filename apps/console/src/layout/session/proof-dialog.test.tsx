// @vitest-environment happy-dom
import { screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { expect, it } from 'vitest'
import { z } from 'zod'
import { api } from '../../api'
import { data, type Request, refusal, serve, show } from '../../test/setup.tsx'
import { SchemaForm } from '../../ui'
import { SignedInOnly } from './guards.tsx'

const user = { ...{ id: 2, username: 'ada', role: 100 }, has_password: true, money_rights: [] }
const Form = z.object({ quota: z.number(), remark: z.string() })
const wrong = 'The current password is wrong.'

/** A form of a credit, whose session has no fresh proof. */
const openForm = async () => {
  let isProved = false
  const requests = serve(({ path, method, body }: Request) => {
    if (path === '/api/user/session') return data(user)
    if (path === '/api/user/proof') {
      if ((body as { current_password: string }).current_password !== 'the-password')
        return refusal(400, 'password.wrong', wrong)
      isProved = true
      return data(null)
    }
    if (method === 'POST') return isProved ? data(user) : refusal(403, 'access.proof_needed')
    return data(null)
  })
  const submit = (input: { quota: number; remark: string }) => api.users.quota({ id: 7, ...input })
  const form = (
    <SchemaForm
      resource="users"
      schema={Form}
      initialValues={{ quota: 5 }}
      submit={submit as never}
      submitLabel="Credit"
    />
  )
  await show(<SignedInOnly />, '/panel/user', form)
  await userEvent.type(await screen.findByLabelText(/remark/), 'gift')
  await userEvent.click(screen.getByRole('button', { name: 'Credit' }))
  await screen.findByRole('dialog', { name: 'Confirm that it is you' })
  return { writes: () => requests.filter(each => each.path === '/api/user/quota/7') }
}

const prove = async (password: string) => {
  const field = await screen.findByLabelText(/Current password/)
  await userEvent.clear(field)
  await userEvent.type(field, password)
  await userEvent.click(screen.getByRole('button', { name: 'Confirm' }))
}

it('a write of money asks for one proof, and is then sent once more', async () => {
  const { writes } = await openForm()
  expect(writes()).toHaveLength(1)
  await prove('not-it')
  await waitFor(() => expect(document.body.textContent).toContain('password is wrong'))
  expect(writes()).toHaveLength(1)
  await prove('the-password')
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
  expect(writes().map(each => each.body)).toEqual([
    { quota: 5, remark: 'gift' },
    { quota: 5, remark: 'gift' },
  ])
})

it('a write without the proof changes nothing and says so in its form', async () => {
  const { writes } = await openForm()
  await userEvent.click(screen.getByRole('button', { name: 'Close' }))
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
  await waitFor(() => expect(document.body.textContent).toContain('Nothing was changed'))
  expect(writes()).toHaveLength(1)
})
