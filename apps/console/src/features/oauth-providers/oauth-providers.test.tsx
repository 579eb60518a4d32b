// @vitest-environment happy-dom
import type { OAuthProvider } from '@hub/contract'
import { screen, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { expect, it } from 'vitest'
import { data, type Request, refusal, serve, show } from '../../test/setup.tsx'
import { OAuthProvidersPage } from './page.tsx'

const provider: OAuthProvider = {
  ...{ id: 4, name: 'Company', slug: 'company', kind: 'oidc', enabled: true },
  ...{ client_id: 'hub', has_client_secret: true, issuer: 'https://login.example' },
  ...{ authorization_endpoint: '', token_endpoint: '', userinfo_endpoint: '' },
  ...{ scopes: 'openid profile email', subject_field: 'sub', username_field: 'preferred_username' },
  ...{ name_field: 'name', email_field: 'email', email_verified_field: 'email_verified' },
  created_time: 1_700_000_000,
}
const page = { data: [provider], page: 1, size: 10, total_count: 1, total_exact: true }

const answer = ({ path, method, body }: Request) => {
  if (path === '/api/status') return data({ server_address: 'https://hub.example/' })
  if (path.endsWith('/discovery')) return data({ scopes_supported: ['openid', 'email'] })
  const { issuer = '', client_secret } = (body ?? {}) as Record<string, string>
  if (method === 'PUT' && issuer.includes('elsewhere') && !client_secret)
    return refusal(422, 'oauth.secret_needed', 'Another address needs the client secret again.')
  return data(method === 'GET' ? page : provider)
}
const sent = (requests: Request[], ...methods: string[]) =>
  requests.filter(each => methods.includes(each.method)).map(each => each.body)
const openEditor = async () => {
  await userEvent.click(await screen.findByRole('button', { name: 'Actions for Company' }))
  await userEvent.click(screen.getByRole('menuitem', { name: 'Edit' }))
  return within(await screen.findByRole('dialog'))
}
const type = async (input: HTMLElement, text: string) => {
  await userEvent.clear(input)
  await userEvent.type(input, text)
}

it('the list is sorted by name, and shows the callback address and a switch', async () => {
  const requests = serve(answer)
  await show(<OAuthProvidersPage />)
  expect(await screen.findByText('https://hub.example/oauth/company')).toBeTruthy()
  expect(screen.getByRole('button', { name: 'Copy Callback address' })).toBeTruthy()
  const list = requests.find(({ path }) => path.startsWith('/api/custom-oauth-provider'))
  expect(list?.query.get('order')).toBe('name')
  await userEvent.click(screen.getByRole('switch', { name: 'Enable “Company”' }))
  expect(sent(requests, 'PUT')).toEqual([{ id: 4, enabled: false }])
})

it('another issuer asks for the secret at its field, which never had it', async () => {
  const requests = serve(answer)
  await show(<OAuthProvidersPage />)
  const dialog = await openEditor()
  const secret = dialog.getByLabelText(/^Client secret/) as HTMLInputElement
  expect([secret.type, secret.value, secret.placeholder]).toEqual([
    ...['password', '', 'Set. Leave it empty to keep it.'],
  ])
  await type(dialog.getByLabelText(/^Issuer/), 'https://elsewhere.example')
  await userEvent.click(dialog.getByRole('button', { name: 'Save provider' }))
  expect(await dialog.findByText(/^Enter the client secret again/)).toBeTruthy()
  await userEvent.type(secret, 'new-secret')
  await userEvent.click(dialog.getByRole('button', { name: 'Save provider' }))
  expect(sent(requests, 'PUT').at(-1)).toMatchObject({
    ...{ id: 4, issuer: 'https://elsewhere.example', client_secret: 'new-secret' },
  })
})

it('a new provider has the fields of its protocol, and the issuer can be checked', async () => {
  const requests = serve(answer)
  await show(<OAuthProvidersPage />)
  await userEvent.click(await screen.findByRole('button', { name: 'Add provider' }))
  const dialog = within(await screen.findByRole('dialog'))
  await type(dialog.getByLabelText(/^Name/), 'Deep')
  await type(dialog.getByLabelText(/^Identifier/), 'Deep')
  await userEvent.tab()
  expect(await dialog.findByText(/^Use lower-case letters/)).toBeTruthy()
  await type(dialog.getByLabelText(/^Identifier/), 'deep')
  expect(await dialog.findByText('https://hub.example/oauth/deep')).toBeTruthy()
  await type(dialog.getByLabelText(/^Issuer/), 'https://login.example')
  await userEvent.click(dialog.getByRole('button', { name: 'Check' }))
  expect(await dialog.findByText(/Scopes: openid email$/)).toBeTruthy()
  expect(dialog.queryByLabelText(/^Token address/)).toBeNull()
  await userEvent.click(dialog.getByRole('combobox', { name: /^Protocol/ }))
  await userEvent.click(screen.getByRole('option', { name: 'OAuth 2.0' }))
  await type(dialog.getByLabelText(/^Token address/), 'https://deep.example/token')
  expect(dialog.queryByLabelText(/^Issuer/)).toBeNull()
  await type(dialog.getByLabelText(/^Client ID/), 'hub')
  await userEvent.type(dialog.getByLabelText(/^Client secret/), 'secret')
  await userEvent.click(dialog.getByRole('button', { name: 'Add provider' }))
  await screen.findByText('Provider added')
  expect(sent(requests, 'POST').at(-1)).toMatchObject({
    ...{ name: 'Deep', slug: 'deep', kind: 'oauth2', client_secret: 'secret' },
    ...{ token_endpoint: 'https://deep.example/token', subject_field: 'sub' },
  })
})
