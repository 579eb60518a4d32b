import { Fault } from '@hub/contract'
import type { App } from '../../core/app.ts'
import type { HttpContext } from '../../core/implement.ts'
import { issueToken, type OneTimePayloads, redeemToken } from '../../core/sign-in/one-time-codes.ts'
import { requireSiteUrl } from '../../core/site/address.ts'
import type {
  AuthorizationResponse,
  ProviderAccount,
} from '../../integrations/sign-in/sign-in-provider.ts'
import { randomText } from '../../lib/random.ts'
import { type ConfiguredProvider, getProvider } from './providers.ts'

const stateSeconds = 600

type StatePayload = OneTimePayloads['oauth-state']

/** A state without PKCE for a page that builds the provider's address itself, as those of One Hub do. */
export const issuePlainState = (app: App, context: HttpContext): Promise<string> =>
  issueState(app, {
    provider: '',
    browser: context.markBrowser(),
    ...{ userId: 0, session: '' },
    ...{ nonce: '', codeVerifier: '', redirectUri: '' },
  })

const issueState = (app: App, payload: StatePayload) =>
  issueToken(app, app.db, 'oauth-state', payload, stateSeconds)

/** Begins a sign-in, or for a user the binding of an account, and returns the provider's address for the browser. */
export const beginAuthorization = async (
  app: App,
  { id, provider, context: providerContext }: ConfiguredProvider,
  context: HttpContext,
  bindTo?: { userId: number; session: string },
): Promise<string> => {
  const request = {
    nonce: randomText(32),
    codeVerifier: randomText(32),
    redirectUri: requireSiteUrl(app, `/oauth/${id}`),
  }
  const browser = context.markBrowser()
  const { userId, session } = bindTo ?? { userId: 0, session: '' }
  const state = await issueState(app, { provider: id, browser, userId, session, ...request })
  return provider.authorizationUrl(providerContext, { ...request, state })
}

/**
 * Uses the state up and returns what it was issued for: of two processes that receive it at once, one continues. It must
 * come from the browser that began, and for the provider that was chosen. Throws `oauth.state`.
 */
export const redeemState = async (
  app: App,
  { provider: id, state }: { provider: string; state: string },
  context: HttpContext,
): Promise<StatePayload & { chosen: ConfiguredProvider }> => {
  const payload = await redeemToken(app, app.db, 'oauth-state', state)
  if (!payload || payload.browser !== context.markedBrowser()) throw new Fault('oauth.state')
  const chosen = await getProvider(app, id)
  const isForProvider =
    payload.provider === id || (payload.provider === '' && chosen.provider.acceptsPlainState)
  if (!isForProvider) throw new Fault('oauth.state')
  return { ...payload, chosen }
}

/** Values that programs write where they have no id. An account under one would belong to everybody without an id. */
const noSubjects: ReadonlySet<string> = new Set([
  ...['', '0', '-1', 'null', 'nil', 'none', 'undefined', 'nan', 'true', 'false', 'n/a'],
  ...['[object object]', '{}', '[]', '00000000-0000-0000-0000-000000000000'],
])

const control = /\p{Cc}/gu

export const isSubject = (subject: string): boolean =>
  subject.length <= 255 &&
  subject.search(control) < 0 &&
  !noSubjects.has(subject.trim().toLowerCase())

/** Names are shown in one line and stored. An address with a control character is none. */
const withoutControls = (account: ProviderAccount): ProviderAccount => ({
  ...account,
  label: account.label.replace(control, ''),
  username: account.username.replace(control, ''),
  displayName: account.displayName.replace(control, ''),
  avatarUrl: account.avatarUrl.replace(control, ''),
  verifiedEmail: account.verifiedEmail.search(control) < 0 ? account.verifiedEmail : '',
})

/** Redeems the code at the provider. An account without an id is nobody's, so it is refused. */
export const confirmAccount = async (
  { provider, context }: ConfiguredProvider,
  response: AuthorizationResponse,
) => {
  const account = await provider.redeem(context, response)
  if (!isSubject(account.subject))
    throw new Fault('oauth.refused', { hint: 'It named no account.' })
  const shown = withoutControls(account)
  const subject = account.authority ? `${account.authority} ${account.subject}` : account.subject
  return { ...shown, subject }
}
export type ConfirmedAccount = Awaited<ReturnType<typeof confirmAccount>>
