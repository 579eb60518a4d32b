import type { Status } from '@hub/contract'
import { api } from '../../api'

type Credential = Parameters<typeof api.passkeys.finishLogin>[0]['credential']
type NewCredential = Parameters<typeof api.passkeys.finishRegistration>[0]['credential']

const library = () => import('@simplewebauthn/browser')

/** Browsers accept passkeys in secure contexts only, and the server only those of its own address. */
export const canUsePasskeys = (site: Status): boolean =>
  site.passkey_login &&
  'PublicKeyCredential' in globalThis &&
  URL.parse(site.server_address)?.origin === location.origin

/** The user closed the dialog of the browser, or let it expire. The browser does not tell which. */
export const isPasskeyCancelled = (error: unknown): boolean =>
  error instanceof Error && ['NotAllowedError', 'AbortError'].includes(error.name)

export const signInByPasskey = async () => {
  const optionsJSON = await api.passkeys.beginLogin({})
  const { startAuthentication } = await library()
  const credential = (await startAuthentication({ optionsJSON })) as Credential
  return api.passkeys.finishLogin({ credential })
}

/** A fresh proof for one call of the endpoint. */
export const proveByPasskey = async (call: { resource: string; action: string }) => {
  const action = `${call.resource}.${call.action}`
  const optionsJSON = await api.passkeys.beginVerification({ action })
  const { startAuthentication } = await library()
  const credential = (await startAuthentication({ optionsJSON })) as Credential
  return api.passkeys.finishVerification({ credential })
}

type CreationOptions = Awaited<ReturnType<typeof api.passkeys.beginRegistration>>

/** Has an authenticator make a passkey and adds it to the account. */
export const registerPasskey = async (optionsJSON: CreationOptions, name: string) => {
  const { startRegistration } = await library()
  const credential = (await startRegistration({ optionsJSON })) as NewCredential
  return api.passkeys.finishRegistration({ name, credential })
}
