import { expect, it } from 'vitest'
import { channelOf } from './channels.ts'
import { readDeployments } from './deployments.ts'
import { LiteLlmSecrets } from './secrets.ts'
import { readTeams } from './teams.ts'

const teams = readTeams([
  { team_id: 't1', team_alias: '蓝队', models: '{gpt-4o,"own model"}', blocked: 'f' },
  { team_id: 't2', team_alias: 'Open team', models: '{}', blocked: 't' },
])

/** The channel of a row whose texts were entered by hand, next to a second row. */
const channel = (params: object, info: object = {}, name = 'gpt-4o') => {
  const row = {
    ...{ model_id: 'm1', model_name: name, blocked: 'f', created_at: '2026-01-01 00:00:00' },
    ...{ litellm_params: JSON.stringify(params), model_info: JSON.stringify(info) },
  }
  const other = { ...row, model_id: 'm2', model_name: 'gpt-5' }
  const all = readDeployments([row, other], [], new LiteLlmSecrets(undefined))
  return channelOf(all[0]!, all, teams)
}

it('a provider without a channel type, and a key outside the database, are problems', () => {
  expect(channel({ model: 'sagemaker/x', api_key: 'k' }).problem).toBe(
    'there is no channel type for the provider sagemaker',
  )
  const reference = channel({ model: 'openai/gpt-4o', api_key: 'os.environ/OPENAI_API_KEY' })
  expect([reference.keys, reference.problem]).toEqual([
    [],
    '`api_key` is an environment variable of the source, not in its database',
  ])
})

it('a model without a prefix has the provider that LiteLLM infers', () => {
  const types = ['gpt-4o', 'claude-3-opus', 'command-r'].map(
    model => channel({ model }).fields.type,
  )
  expect(types).toEqual([1, 14, 36])
  expect(channel({ model: 'unknown-model' }).problem).toContain('unknown-model')
})

it('a channel serves the default group and the teams that may use its model', () => {
  expect(channel({ model: 'gpt-4o' }).fields.group).toBe('default,team-t1,Open-team')
  expect(channel({ model: 'gpt-4o' }, {}, 'other').fields.group).toBe('default,Open-team')
  expect(channel({ model: 'gpt-4o' }, {}, 'own model').fields.group).toContain('team-t1')
  expect(channel({ model: 'gpt-4o' }, { team_id: 't2' }).fields.group).toBe('Open-team')
})

it('a wildcard becomes the models of the type that have no row of their own', () => {
  const { fields, notes } = channel({ model: 'openai/*', api_key: 'k' }, {}, 'openai/*')
  const models = String(fields.models).split(',')
  expect(models.length).toBeGreaterThan(2)
  expect(models.every(each => each.startsWith('openai/'))).toBe(true)
  const mapping = JSON.parse(String(fields.model_mapping))
  expect(mapping[models[0]!]).toBe(models[0]!.slice('openai/'.length))
  expect(notes).toEqual([`\`openai/*\` became ${models.length} models of the channel type`])
})

it('a price of the source is that of the name that callers use', () => {
  const mapping = (params: object) =>
    channel({ model: 'openai/served', ...params }, {}, 'asked').fields.model_mapping
  expect(mapping({})).toBe('{"asked":"served"}')
  expect(mapping({ input_cost_per_token: 1e-6 })).toBe('{"asked":"+served"}')
})
