import {
  type CreationOptions,
  makeAuthenticator,
} from '../../../apps/server/test/sign-in/software-authenticator.ts'
import { callApi, type Person } from '../admin.ts'
import type { Gateway } from '../gateway.ts'

/** Adds a passkey of a software authenticator to the account. The server address must be that of a local trial. */
export const addPasskey = async (gateway: Gateway, { cookie, password }: Person) => {
  const authenticator = makeAuthenticator({ origin: 'http://localhost:3000', counts: false })
  const path = '/api/user/passkey/register'
  const proof = { current_password: password }
  const begin = await callApi<CreationOptions>(gateway, { cookie }, 'POST', `${path}/begin`, proof)
  const credential = authenticator.create(begin.data)
  const body = { name: 'Test', credential }
  const { data } = await callApi<{ id: number }>(
    gateway,
    { cookie },
    'POST',
    `${path}/finish`,
    body,
  )
  return { authenticator, id: data.id }
}
