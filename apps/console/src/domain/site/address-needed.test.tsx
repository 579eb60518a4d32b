import { fireEvent, screen, waitFor } from '@testing-library/react'
import { expect, it } from 'vitest'
import { data, serve, show } from '../../test/setup.tsx'
import { serverAddress } from '../server-address.ts'
import { SiteAddressNeeded } from './address-needed.tsx'

const open = async (address: string, { role = 100, isTrial = false } = {}) => {
  const requests = serve(({ path }) => {
    if (path === '/api/status') return data({ server_address: address })
    if (path === '/api/user/session') return data({ id: 1, username: 'ann', role })
    return data([{ key: 'LocalTrialEnabled', value: String(isTrial) }])
  })
  await show(<SiteAddressNeeded />)
  return requests
}

it('the sentence offers the origin of the address bar, and one click saves it', async () => {
  const requests = await open('')
  expect(await screen.findByText(/which is not set/)).toBeTruthy()
  fireEvent.click(await screen.findByRole('button', { name: `Use ${location.origin}` }))
  await waitFor(() => expect(requests.some(({ method }) => method === 'PUT')).toBe(true))
  expect(requests.find(({ method }) => method === 'PUT')).toMatchObject({
    path: '/api/option/',
    body: { key: 'ServerAddress', value: location.origin },
  })
})

it('an administrator reads the sentence without the button', async () => {
  await open('http://127.0.0.1:3000', { role: 10 })
  expect(await screen.findByText(/127\.0\.0\.1:3000 leads to this machine only/)).toBeTruthy()
  expect(screen.queryByRole('button')).toBeNull()
})

it('a public address and a local trial need no sentence', async () => {
  await open('https://hub.example')
  await waitFor(() => expect(screen.queryByRole('note')).toBeNull())
  await open('http://localhost:3000', { isTrial: true })
  await waitFor(() => expect(screen.queryByRole('note')).toBeNull())
})

it('examples name the address of the page where the site has none, or one of another machine', () => {
  const at = (origin: string) => ({ origin })
  expect([
    serverAddress('', at('https://hub.example')),
    serverAddress('http://localhost:3000', at('https://hub.example')),
    serverAddress('http://localhost:3000', at('http://127.0.0.1:8080')),
    serverAddress('https://api.example/', at('https://hub.example')),
  ]).toEqual([
    'https://hub.example',
    'https://hub.example',
    'http://localhost:3000',
    'https://api.example',
  ])
})
