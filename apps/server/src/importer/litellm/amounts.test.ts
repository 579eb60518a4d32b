import { expect, it } from 'vitest'
import type { SourceRow } from '../sources/source-database.ts'
import { readDeployments } from './deployments.ts'
import { readUsers } from './people.ts'
import { readPrices } from './prices.ts'
import { LiteLlmSecrets } from './secrets.ts'
import { readTokens } from './tokens.ts'

const priceOf = (params: object) => {
  const row = {
    ...{ model_id: 'm1', model_name: 'own', blocked: 'f', created_at: '2026-01-01 00:00:00' },
    ...{ litellm_params: JSON.stringify({ model: 'openai/x', ...params }), model_info: '{}' },
  }
  return readPrices(readDeployments([row], [], new LiteLlmSecrets(undefined))).find(
    each => each.model === 'own',
  )
}

it.each<[unknown, number]>([
  [2e-6, 1],
  ['0.000002', 1],
  [0, 0],
  ['', Number.NaN],
  ['cheap', Number.NaN],
  ['NaN', Number.NaN],
  [true, Number.NaN],
  [[], Number.NaN],
  ['Infinity', Number.POSITIVE_INFINITY],
  [-2e-6, -1],
])(
  'a cost of %j per token is read as %d, so that the contract refuses what is no price',
  (cost, expected) => {
    const other = 4e-6
    expect(priceOf({ input_cost_per_token: cost, output_cost_per_token: other })!.input).toBe(
      expected,
    )
    expect(priceOf({ input_cost_per_token: other, output_cost_per_token: cost })!.output).toBe(
      expected,
    )
  },
)

it('a side without a cost is free as in the source, and the report says so', () => {
  expect(priceOf({ input_cost_per_token: 2e-6 })).toMatchObject({
    output: 0,
    note: 'has no price of output in the source: it costs nothing',
  })
  expect(priceOf({ input_cost_per_token: null })).toBeUndefined()
})

const amounts = ['NaN', 'Infinity', '-Infinity', '1e300', '9007199254740993']

const user = (more: SourceRow) =>
  readUsers(
    {
      rows: [{ user_id: 'u', user_role: 'proxy_admin', ...more }],
      teams: [],
      pointsPerUsd: 500_000,
    },
    new Map(),
  )[0]!

it.each(amounts)('an account with the budget or the spend %s has nothing left', amount => {
  for (const row of [
    { max_budget: amount, spend: '0' },
    { max_budget: '5', spend: amount },
  ]) {
    const { balance, used, notes } = user(row)
    expect([balance, used]).toEqual([0, 0])
    expect(notes!.join()).toContain(`is ${amount}, which is no amount`)
  }
})

const token = (more: SourceRow) =>
  readTokens([{ token: 'a', user_id: 'u', ...more }], [], {
    ...{ teams: new Map(), users: new Map([['u', {}]]), organizations: new Map() },
    ...{ projects: new Map(), budgets: new Map(), administrator: 'u', pointsPerUsd: 500_000 },
  })[0]!

it.each(amounts)('a key with the budget or the spend %s has nothing left of its cap', amount => {
  const rows: SourceRow[] = [
    { max_budget: amount, spend: '0' },
    { max_budget: '5', spend: amount },
    { max_budget: amount, spend: '0', budget_duration: '1d' },
    { max_budget: null, spend: amount },
  ]
  for (const row of rows) expect(token(row)).toMatchObject({ remaining: 0, used: 0 })
})

it.each<[string | null, number]>([
  [null, -1],
  ['infinity', -1],
  ['12026-01-01 00:00:00', -1],
  ['2026-01-01 00:00:00', 1_767_225_600],
  ['-infinity', 1],
  ['0044-03-15 00:00:00 BC', 1],
  ['12000-03-15 00:00:00 BC', 1],
  ['1960-01-01 00:00:00', 1],
  ['soon', 1],
])('a key that expires at %s does so at %d', (expires, expected) => {
  expect(token({ expires }).expiresAt).toBe(expected)
})

it('an old key of a rotation whose end cannot be read has expired', () => {
  const context = {
    ...{ teams: new Map(), users: new Map([['u', {}]]), organizations: new Map() },
    ...{ projects: new Map(), budgets: new Map(), administrator: 'u', pointsPerUsd: 500_000 },
  }
  const grace = [{ id: 'g', token: 'b', active_token_id: 'a', revoke_at: '-infinity' }]
  const [, old] = readTokens([{ token: 'a', user_id: 'u' }], grace, context)
  expect(old!.expiresAt).toBe(1)
})
