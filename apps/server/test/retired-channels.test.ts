import { expect, it } from 'vitest'
import * as topics from '../src/db/queries/topics.ts'
import { type Json, useRelayHub } from './relay-hub.ts'

const hub = useRelayHub()

const ask = async (model: string) => {
  const body = { model, messages: [{ role: 'user', content: 'Hi' }] }
  const response = await hub.post('/v1/chat/completions', body)
  return { status: response.status, message: ((await response.json()) as Json).error.message }
}

/** As an import leaves it: the types of such channels cannot be chosen. */
const retire = async (name: string, type: number) => {
  const { db, changes } = hub.app.app
  await db.updateTable('channels').set({ type }).where('name', '=', name).execute()
  await topics.increment(db, 'channels')
  await changes.sync()
}

it('a caller of a retired type reads why, and what to use instead', async () => {
  await hub.addChannel(1, 'gemini-cli-model')
  await hub.addChannel(1, 'shut-model')
  await retire('gemini-cli-model', 57)
  await retire('shut-model', 49)
  expect(await ask('gemini-cli-model')).toEqual({
    status: 404,
    message: expect.stringContaining('https://geminicli.com/docs/resources/faq/'),
  })
  expect((await ask('shut-model')).message).toContain('30 July 2026')
  expect((await ask('unheard-of')).message).not.toContain('https://')
})

it('a disabled channel gives no reason any more', async () => {
  const { id } = await hub.app.app.db
    .selectFrom('channels')
    .select('id')
    .where('name', '=', 'shut-model')
    .executeTakeFirstOrThrow()
  expect((await hub.app.root.put('/api/channel/', { id, status: 2 })).status).toBe(200)
  await hub.app.app.changes.sync()
  expect(await ask('shut-model')).toEqual({
    status: 404,
    message: expect.not.stringContaining('30 July 2026'),
  })
})
