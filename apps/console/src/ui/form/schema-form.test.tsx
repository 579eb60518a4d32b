// @vitest-environment happy-dom
import { screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { expect, it, vi } from 'vitest'
import { z } from 'zod'
import { apiError } from '../../api/error.ts'
import { show } from '../../test/setup.tsx'
import { FormDialog } from './dialog/form-dialog.tsx'
import { SchemaForm } from './schema-form.tsx'

const Schema = z.object({
  display_name: z.string().min(2).max(10),
  username: z.string().default('nobody'),
})

it('a form starts with the defaults of its schema and submits the parsed values', async () => {
  const submit = vi.fn(async () => undefined)
  await show(<SchemaForm resource="profile" schema={Schema} submit={submit} />)
  expect(screen.getByLabelText('Username')).toHaveProperty('value', 'nobody')
  await userEvent.type(screen.getByLabelText(/Display name/), 'Ada')
  await userEvent.click(screen.getByRole('button', { name: 'Save' }))
  expect(submit).toHaveBeenCalledWith({ display_name: 'Ada', username: 'nobody' })
})

it('an invalid value is not submitted, and the field shows the reason', async () => {
  const submit = vi.fn(async () => undefined)
  await show(<SchemaForm resource="profile" schema={Schema} submit={submit} />)
  await userEvent.type(screen.getByLabelText(/Display name/), 'A')
  await userEvent.click(screen.getByRole('button', { name: 'Save' }))
  const alert = await screen.findByRole('alert')
  expect(alert.textContent).toMatch(/>=2|2 char/)
  expect(screen.getByLabelText(/Display name/).getAttribute('aria-describedby')).toBe(alert.id)
  expect(submit).not.toHaveBeenCalled()
})

it('a refusal of the server is shown at the field it names', async () => {
  const message = 'The request is not valid. `username`: is taken.'
  const submit = async () => {
    throw apiError(400, { code: 'request.invalid', message })
  }
  await show(<SchemaForm resource="profile" schema={Schema} submit={submit} />)
  await userEvent.type(screen.getByLabelText(/Display name/), 'Ada')
  await userEvent.click(screen.getByRole('button', { name: 'Save' }))
  const alert = await screen.findByText('is taken')
  expect(screen.getByLabelText('Username').getAttribute('aria-describedby')).toBe(alert.id)
})

it('a refusal that names no field is shown above the button in the language of the user', async () => {
  const submit = async () => {
    throw apiError(409, { code: 'resource.exists' })
  }
  await show(<SchemaForm resource="profile" schema={Schema} submit={submit} />)
  await userEvent.type(screen.getByLabelText(/Display name/), 'Ada')
  await userEvent.click(screen.getByRole('button', { name: 'Save' }))
  expect((await screen.findByRole('alert')).textContent).toBe(
    'An item with this name already exists.',
  )
})

it('a dialog with unsaved changes asks before it closes', async () => {
  const dialog = (
    <FormDialog title="Rename" resource="profile" schema={Schema} submit={async () => 1} />
  )
  await show(dialog)
  await userEvent.click(screen.getByRole('button', { name: 'Rename' }))
  await userEvent.type(await screen.findByLabelText(/Display name/), 'Ada')
  await userEvent.click(screen.getByRole('button', { name: 'Cancel' }))
  expect(await screen.findByText('Unsaved changes')).toBeTruthy()
})
