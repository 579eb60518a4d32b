import { contract } from '@hub/contract'
import { InsertQueryNode, type KyselyPlugin } from 'kysely'
import { beforeAll, expect, it } from 'vitest'
import { onOneEngine, type TestApp } from '../../../test/harness.ts'
import type { App } from '../../core/app.ts'
import { withAudit } from './audit.ts'

/** Fails the first audit row, as a full disk would. */
const failOnce = (): KyselyPlugin => {
  let isFailing = true
  return {
    transformQuery: ({ node }) => {
      if (isFailing && InsertQueryNode.is(node) && JSON.stringify(node.into).includes('"audit"')) {
        isFailing = false
        throw new TypeError('database or disk is full')
      }
      return node
    },
    transformResult: async ({ result }) => result,
  }
}

onOneEngine('audit rows', open => {
  let hub: TestApp
  beforeAll(async () => {
    hub = await open()
  })

  it('work that was done is never recorded as failed, even where its row cannot be written', async () => {
    const app: App = { ...hub.app, db: hub.app.db.withPlugin(failOnce()) }
    const endpoint = contract.channels.endpoints.removeDisabled
    const context = { ip: '', requestId: '' } as Parameters<typeof withAudit>[1]['context']
    const request = { action: 'test.done', endpoint, caller: undefined, context, input: {} }
    await expect(withAudit(app, request, async () => 'done')).rejects.toThrow('disk is full')
    const outcomes = async () => {
      const { body } = await hub.root.get('/api/audit/?action=test.done')
      return body.data.data.map((row: { outcome: string }) => row.outcome)
    }
    expect(await outcomes()).toEqual([])
    expect(await withAudit(app, request, async () => 'done')).toBe('done')
    expect(await outcomes()).toEqual([''])
  })
})
