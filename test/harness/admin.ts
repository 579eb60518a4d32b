import { randomBytes } from 'node:crypto'
import type { Gateway } from './gateway.ts'

type Answer<T> = { status: number; success: boolean; message: string; code?: string; data: T }
type Session = { cookie?: string; bearer?: string; from?: string }

let address = 0
/** A new address for each, so that the limits per address of one test never hit the next. */
const nextAddress = () => `198.51.${Math.floor(++address / 250) % 250}.${(address % 250) + 1}`

/** One call of the admin API, with its whole envelope. */
export const callApi = async <T>(
  gateway: Pick<Gateway, 'url'>,
  session: Session,
  method: string,
  path: string,
  body?: unknown,
): Promise<Answer<T> & { headers: Headers }> => {
  const response = await fetch(`${gateway.url}${path}`, {
    method,
    headers: {
      'content-type': 'application/json',
      origin: gateway.url,
      'x-forwarded-for': session.from ?? nextAddress(),
      ...(session.cookie ? { cookie: session.cookie } : {}),
      ...(session.bearer ? { authorization: `Bearer ${session.bearer}` } : {}),
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  })
  const text = await response.text()
  const parsed = text.startsWith('{') ? JSON.parse(text) : { success: false, message: text }
  return { ...parsed, status: response.status, headers: response.headers }
}

const must = async <T>(response: Promise<Answer<T>>): Promise<T> => {
  const { success, status, message, code, data } = await response
  if (!success) throw new Error(`the admin API answered ${status} ${code ?? ''}: ${message}`)
  return data
}

export type Person = { id: number; username: string; password: string; cookie: string; key: string }

/**
 * Calls of the admin API, with the first root's access token or with a session of its own. A write returns when each of
 * the other nodes obeys it.
 */
export const administer = (
  gateway: Gateway,
  root: Session = { bearer: gateway.accessToken },
  otherNodes: Gateway[] = [],
) => {
  const api = async <T>(method: string, path: string, body?: unknown) => {
    const data = await must(callApi<T>(gateway, root, method, path, body))
    if (method !== 'GET') await Promise.all(otherNodes.map(node => obeys(node, root)))
    return data
  }

  const signIn = async (username: string, password: string, from = nextAddress()) => {
    type SignedIn = { id: number; must_change_password: boolean }
    const body = { username, password }
    const signedIn = await callApi<SignedIn>(gateway, { from }, 'POST', '/api/user/login', body)
    const { success, status, message } = signedIn
    if (!success) throw new Error(`sign-in refused: ${status} ${message}`)
    return { user: signedIn.data, cookie: cookieOf(signedIn.headers) }
  }

  return {
    api,
    signIn,

    addChannel: (baseUrl: string, more: object = {}) =>
      api<{ id: number }[]>('POST', '/api/channel/', {
        type: 1,
        name: 'fake vendor',
        key: `sk-vendor-${randomBytes(12).toString('hex')}`,
        base_url: baseUrl,
        models: 'gpt-4o-mini,any:*,times:*',
        group: 'default',
        ...more,
      }),

    /** `times`: one call costs input x 1,000 points. `tokens`: points per token. */
    setPrice: async (model: string, type: 'tokens' | 'times', input: number, output = input) => {
      const price = { model, type, input, output, channel_type: 1 }
      try {
        await api('POST', '/api/prices/single', price)
      } catch (error) {
        // Well-known models have a price from the first start on.
        if (!String(error).includes('resource.exists')) throw error
        await api('PUT', `/api/prices/single/${encodeURIComponent(model)}`, price)
      }
    },

    setOption: (key: string, value: string) => api('PUT', '/api/option/', { key, value }),

    user: (id: number) =>
      api<{ quota: number; used_quota: number; request_count: number }>('GET', `/api/user/${id}`),

    /** A user who signed in, changed the first password, and made a key. */
    addPerson: async (quota: number, token: object = {}, more: object = {}): Promise<Person> => {
      const username = `u${randomBytes(6).toString('hex')}`
      const first = randomBytes(8).toString('hex')
      const password = randomBytes(8).toString('hex')
      await api('POST', '/api/user/', { username, password: first, quota, ...more })
      const { user, cookie: old } = await signIn(username, first)
      let cookie = old
      if (user.must_change_password) {
        const change = { password, current_password: first }
        const changed = await callApi(gateway, { cookie }, 'PUT', '/api/user/self', change)
        if (!changed.success) throw new Error(`password not changed: ${changed.message}`)
        cookie = cookieOf(changed.headers) || cookie
      }
      const made = await must(
        callApi<{ key: string }>(gateway, { cookie }, 'POST', '/api/token/', {
          name: 'test',
          unlimited_quota: true,
          ...token,
        }),
      )
      return { id: user.id, username, password, cookie, key: made.key }
    },
  }
}
/** A node has applied what was committed before a POST when it answers it. One that is stopped reads all as it starts. */
const obeys = (node: Gateway, root: Session) =>
  callApi(node, root, 'POST', '/api/system_info/log', { count: 1 }).catch(() => undefined)

export type Administrator = ReturnType<typeof administer>

const cookieOf = (headers: Headers): string =>
  headers
    .getSetCookie()
    .map(each => each.split(';')[0])
    .join('; ')
