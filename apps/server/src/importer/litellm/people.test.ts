import { expect, it } from 'vitest'
import { readUsers } from './people.ts'

const user = (user_id: string, more: object = {}) => ({
  ...{ user_id, user_alias: null, user_email: null, user_role: 'internal_user', spend: '0' },
  ...{ max_budget: '1', created_at: '2026-01-01 00:00:00', ...more },
})

it('names that two users have are made different', () => {
  const rows = [
    user('u1', { user_alias: 'ann', user_role: 'proxy_admin' }),
    user('u2', { user_alias: 'ann', user_email: 'ann@mail.example' }),
    user('u3', { user_alias: 'ann', user_email: 'ann@mail.example' }),
  ]
  const users = readUsers({ rows, teams: [], pointsPerUsd: 500_000 }, new Map())
  expect(users.map(each => each.username)).toEqual(['ann', 'ann@mail.example', 'u3'])
})

it('a database without an administrator gets one', () => {
  const rows = [user('u1', { user_alias: 'root' })]
  const [root, ...others] = readUsers({ rows, teams: [], pointsPerUsd: 500_000 }, new Map())
  expect(root).toMatchObject({ username: 'root-2', role: 100, balance: 0 })
  expect(others).toMatchObject([{ username: 'root', role: 1, balance: 500_000 }])
})
