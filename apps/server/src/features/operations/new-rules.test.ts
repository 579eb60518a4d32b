import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { newRules as rulesOfRelease } from '@hub/contract'
import { beforeAll, expect, it } from 'vitest'
import { root } from '../../../../../test/harness/paths.ts'
import { onBothEngines, type TestApp } from '../../../test/harness.ts'
import { newRulesSince } from '../../core/site/new-rules.ts'
import { newRules } from '../../db/migrations/0082-new-rules.ts'
import * as options from '../../db/queries/options.ts'

let hub: TestApp

const shown = async () => (await hub.root.get('/api/operations/attention')).body.data.new_rules
const upgrade = () => newRules.up(hub.app.db)

const logRefusals = async (code: string, count: number, at: number) =>
  hub.app.db
    .insertInto('logs')
    .values({
      ...{ id: hub.app.ledger.nextId(), user_id: 1, created_at: at, type: 5, content: code },
      ...{ username: 'u', token_name: 't', model_name: 'm', quota: 0, prompt_tokens: 0 },
      ...{ completion_tokens: 0, channel_id: 0, request_time: 1, is_stream: 0, source_ip: '' },
      metadata: JSON.stringify({ charged: false, count }),
    })
    .execute()

onBothEngines('new rules of a release', open => {
  beforeAll(async () => {
    hub = await open()
  })

  it('are told to no site that began with the release', async () => {
    expect(await shown()).toBeNull()
  })

  it('are told after an upgrade, with the calls that each refused, until a super administrator has read them', async () => {
    await upgrade()
    const now = Math.floor(hub.clock.now / 1000)
    await options.write(hub.app.db, newRulesSince, String(now))
    await logRefusals('request.steering', 3, now)
    await logRefusals('quota.held', 1, now)
    const answer = await shown()
    expect(answer.since).toBe(now)
    expect(answer.rules.map(({ rule }: { rule: string }) => rule)).toEqual(
      Object.keys(rulesOfRelease),
    )
    const refused = answer.rules.flatMap((each: { rule: string; refused: number }) =>
      each.refused > 0 ? [[each.rule, each.refused]] : [],
    )
    expect(refused).toEqual([
      ['steering', 3],
      ['held', 1],
    ])
    await hub.root.post('/api/operations/rules_read', {})
    expect(await shown()).toBeNull()
  })
})

it('the changelog tells customers the same rules in the same words as the console', () => {
  const read = (path: string) => readFileSync(join(root, path), 'utf8')
  const texts = JSON.parse(read('apps/console/src/locales/en_US/operations.json')).newRules.rules
  const [, section = ''] = /### What customers notice\n\n([^#]+)/.exec(read('CHANGELOG.md')) ?? []
  const bullets = section
    .split(/^\* /m)
    .slice(1)
    .map(each => each.replaceAll(/\s+/g, ' ').trim())
  expect(Object.keys(texts)).toEqual(Object.keys(rulesOfRelease))
  expect(bullets).toEqual(Object.values(texts))
})
