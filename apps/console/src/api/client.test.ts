// @vitest-environment happy-dom
import type { OwnUser } from '@hub/contract'
import { expect, it } from 'vitest'
import { data, refusal, serve } from '../test/setup.tsx'
import { api } from './client.ts'
import { fieldErrors, isApiError } from './error.ts'
import { errorText } from './error-text.ts'
import { makeSessionQuery, queryClient, startSession } from './session.ts'

it('a GET sends its input in the query and returns data without the envelope', async () => {
  const requests = serve(() => data({ data: [], page: 2, size: 30, total_count: 0 }))
  const page = await api.users.list({ page: 2, size: 30, keyword: 'a b' })
  expect(page.page).toBe(2)
  expect(requests[0]).toMatchObject({ method: 'GET', path: '/api/user/', body: undefined })
  expect(requests[0]?.query.toString()).toBe('page=2&size=30&keyword=a+b')
})

it('a path parameter is sent in the path only', async () => {
  const requests = serve(() => data({ key: 'sk-1' }))
  expect(await api.tokens.reveal({ id: 7 })).toEqual({ key: 'sk-1' })
  expect(requests[0]).toMatchObject({ method: 'POST', path: '/api/token/7/reveal', body: {} })
})

it('a name with slashes is encoded as one path segment', async () => {
  const requests = serve(() => data(null))
  await api.prices.remove({ name: 'meta/llama 3*' })
  expect(requests[0]?.path).toBe('/api/prices/single/meta%2Fllama%203*')
})

it('a DELETE sends a list of ids in the body and a plain value in the query', async () => {
  const requests = serve(() => data(2))
  await api.channels.removeMany({ ids: [1, 2] })
  await api.logs.remove({ target_timestamp: 5 })
  expect(requests[0]?.body).toEqual({ ids: [1, 2] })
  expect(requests[1]?.query.get('target_timestamp')).toBe('5')
})

it('a response without an envelope is returned unchanged', async () => {
  serve(() => ({ body: { object: 'list', data: [] } }))
  expect(await api.channels.models()).toEqual({ object: 'list', data: [] })
})

it('a refusal keeps its code, status and message', async () => {
  serve(() => refusal(409, 'resource.exists', 'Something with this name exists already.'))
  const error = await api.status.get().catch((cause: unknown) => cause)
  expect(isApiError(error) && error).toMatchObject({
    status: 409,
    code: 'resource.exists',
    requestId: 'request-1',
  })
})

it('a 200 response with success false is an error', async () => {
  serve(() => ({ body: { success: false, message: 'no' } }))
  await expect(api.status.get()).rejects.toMatchObject({ status: 500, message: 'no' })
})

it('an unreachable server is reported as status 0', async () => {
  serve(() => {
    throw new TypeError('fetch failed')
  })
  await expect(api.status.get()).rejects.toMatchObject({ status: 0 })
})

it('a 401 without an open page clears the signed-in user, a wrong password does not', async () => {
  const key = makeSessionQuery(async () => null).queryKey
  const user = { id: 1, username: 'ada', role: 1, avatar_url: '' } as OwnUser
  startSession(user)
  serve(() => refusal(400, 'sign_in.refused'))
  await expect(api.tokens.list({})).rejects.toMatchObject({ status: 400 })
  expect(queryClient.getQueryData(key)).toEqual(user)

  serve(() => refusal(401, 'session.missing'))
  await expect(api.tokens.list({})).rejects.toMatchObject({ status: 401 })
  expect(queryClient.getQueryData(key)).toBeNull()
  expect(localStorage.getItem('user')).toBeNull()
})

it('the fields named in a refusal are read from its message', async () => {
  const message =
    'The request is not valid. `name`: Too big: 30; at most; `setting.limits`: Invalid.'
  serve(() => refusal(400, 'request.invalid', message))
  const error = await api.status.get().catch((cause: unknown) => cause)
  expect(fieldErrors(error)).toEqual({ name: 'Too big: 30; at most', 'setting.limits': 'Invalid' })
})

it('a field of a refusal with its own translation has no English text', async () => {
  const message = 'A stored secret stays. `key`: enter it again to change base_url.'
  serve(() => refusal(422, 'channel.secrets_needed', message))
  const error = await api.status.get().catch((cause: unknown) => cause)
  expect(fieldErrors(error)).toEqual({ key: '' })
})

it('a failure that is no error of the server is shown after the word for errors', () => {
  const t = (key: string, values?: object) => `${key} ${JSON.stringify(values)}`
  expect(errorText(t, 'no object')).toEqual({
    kind: 'error',
    text: 'common.errors.other {"message":"no object"}',
  })
})
