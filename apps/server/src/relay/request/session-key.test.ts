import { expect, it } from 'vitest'
import { findSessionKey } from './session-key.ts'

const id = '0198f0a2-7c11-7b52-9d3e-2f4c1a5b6d70'

/** A body, and the ranges of its fields as a dialect reads them. */
const read = (fields: Record<string, unknown>) => {
  const fieldRanges = new Map<string, { keyStart: number; start: number; end: number }>()
  let text = '{'
  for (const [name, value] of Object.entries(fields)) {
    text += `${text === '{' ? '' : ','}${JSON.stringify(name)}:`
    const start = Buffer.byteLength(text)
    const keyStart = start - name.length - 3
    text += JSON.stringify(value)
    fieldRanges.set(name, { keyStart, start, end: Buffer.byteLength(text) })
  }
  return { body: Buffer.from(`${text}}`), fieldRanges }
}

it('the headers of Claude Code, Codex and OpenCode name the session, also before a body was read', () => {
  for (const name of ['x-claude-code-session-id', 'session_id', 'session-id', 'x-session-id'])
    expect([name, findSessionKey({ [name]: id }, undefined)]).toEqual([name, id])
  expect(findSessionKey({ 'x-session-affinity': 'ses_4f2b' }, undefined)).toBe('ses_4f2b')
  expect(findSessionKey({ 'x-gemini-api-privileged-user-id': id }, undefined)).toBeUndefined()
})

it('a header comes before a field, and a cache key before a user id', () => {
  const user_id = `user_${'a'.repeat(64)}_account_${id}_session_${id.replace('0198', 'ffff')}`
  const parsed = read({ model: 'm', prompt_cache_key: 'cache-1', metadata: { user_id } })
  expect(findSessionKey({ session_id: 'header-1' }, parsed)).toBe('header-1')
  expect(findSessionKey({ session_id: '' }, parsed)).toBe('cache-1')
})

it('both forms of Claude Code’s user id have the session', () => {
  const account = '11111111-2222-3333-4444-555555555555'
  const user = `user_${'b'.repeat(64)}`
  const asText = read({ metadata: { user_id: `${user}_account_${account}_session_${id}` } })
  const fields = { device_id: 'b'.repeat(64), account_uuid: account, session_id: id }
  const asObject = read({ metadata: { user_id: JSON.stringify(fields) } })
  expect([findSessionKey({}, asText), findSessionKey({}, asObject)]).toEqual([id, id])
  expect(findSessionKey({}, read({ metadata: { user_id: 'someone' } }))).toBeUndefined()
  expect(findSessionKey({}, read({ model: 'm' }))).toBeUndefined()
})

it('a long key, or one with other characters, is hashed to a bounded length', () => {
  const long = findSessionKey({ session_id: 'x'.repeat(5_000) }, undefined)
  const other = findSessionKey({ session_id: '"session":"a"' }, undefined)
  for (const key of [long, other]) expect(key).toMatch(/^sha256:[0-9a-f]{32}$/)
  expect(long).not.toBe(other)
  expect(findSessionKey({ session_id: 'x'.repeat(5_000) }, undefined)).toBe(long)
  expect(findSessionKey({}, read({ prompt_cache_key: 'späť\u0000' }))).toMatch(/^sha256:/)
})
