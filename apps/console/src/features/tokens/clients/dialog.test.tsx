// @vitest-environment happy-dom
import { screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { expect, it } from 'vitest'
import { queryClient } from '../../../api/session.ts'
import { sessionQuery } from '../../../api/site.ts'
import { data, type Request, serve, show } from '../../../test/setup.tsx'
import { ClientsDialog } from './dialog.tsx'

const noLimits = {
  limit_model_setting: { enabled: false, models: [] },
  limits_ip_setting: { enabled: false, whitelist: [] },
}
const token = {
  ...{ id: 5, name: 'laptop', key: 'sk-abcd…wxyz', revealable: true, group: '', backup_group: '' },
  setting: { heartbeat: { enabled: false, timeout_seconds: 30 }, limits: noLimits },
} as never
const self = { id: 1, username: 'root', role: 100, group: 'default', quota: 0, used_quota: 0 }

const answer = ({ path }: Request) => {
  if (path === '/api/available_model') return data({ 'claude-x': { groups: ['default'] } })
  if (path === '/api/token/5/reveal') return data({ key: 'sk-whole' })
  if (path === '/v1/messages')
    return {
      ...{ status: 402 },
      body: { error: { type: 'billing_error', message: 'The balance is used up.' } },
    }
  return data({ data: [], total_count: 0 })
}
const open = async (fullKey?: string) => {
  const requests = serve(answer)
  queryClient.setQueryData(sessionQuery.queryKey, self as never)
  await show(<ClientsDialog token={token} fullKey={fullKey} onClose={() => undefined} />)
  return { requests, dialog: within(await screen.findByRole('dialog')) }
}

it('shows a placeholder until the key is shown, and then the whole key', async () => {
  const { dialog } = await open()
  expect((await dialog.findByText(/export ANTHROPIC_AUTH_TOKEN=/)).textContent).toContain('sk-…')
  await userEvent.click(dialog.getByRole('button', { name: 'Show key' }))
  expect(await dialog.findByText(/export ANTHROPIC_AUTH_TOKEN=sk-whole/)).toBeTruthy()
  expect(dialog.queryByRole('button', { name: 'Show key' })).toBeNull()
})

it('a test calls in the dialect of the client and says what to do about an error', async () => {
  const { requests, dialog } = await open('sk-new')
  expect(dialog.getByText(/It is charged like any call/)).toBeTruthy()
  await waitFor(() =>
    expect(dialog.getByRole<HTMLButtonElement>('button', { name: 'Run test' }).disabled).toBe(
      false,
    ),
  )
  await userEvent.click(dialog.getByRole('button', { name: 'Run test' }))
  expect(await dialog.findByText(/Top up the account/)).toBeTruthy()
  expect(dialog.getByText('The balance is used up.')).toBeTruthy()
  expect(requests.find(each => each.path === '/v1/messages')?.body).toMatchObject({
    ...{ model: 'claude-x', max_tokens: 256 },
  })
})

it('other clients have their own settings, and Cherry Studio opens by a link', async () => {
  const { dialog } = await open('sk-new')
  await userEvent.click(dialog.getByRole('combobox', { name: 'Client' }))
  await userEvent.click(await screen.findByRole('option', { name: 'Cherry Studio' }))
  const link = await dialog.findByRole('link', { name: 'Open in Cherry Studio' })
  expect(link.getAttribute('href')).toMatch(/^cherrystudio:\/\/providers\/api-keys\?v=1&data=/)
})
