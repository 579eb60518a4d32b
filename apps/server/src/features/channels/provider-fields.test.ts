import { beforeAll, expect, it } from 'vitest'
import { onBothEnginesInLongRuns, type TestApp } from '../../../test/harness.ts'
import * as rows from '../../db/queries/channels.ts'
import { openSecret } from '../../relay/channels/secrets.ts'

onBothEnginesInLongRuns('fields that a channel type checks', open => {
  let hub: TestApp
  const make = (more: object) =>
    hub.root.post('/api/channel/', {
      ...{ type: 17, name: 'vendor', models: 'qwen-plus', group: 'default', key: 'sk-made-up' },
      ...more,
    })
  beforeAll(async () => {
    hub = await open()
  })

  it.each([
    [
      { type: 35, key: 'account|token\ntoken' },
      'key_invalid',
      '`key`, key 2: ACCOUNT_ID|API_TOKEN',
    ],
    [{ type: 15, key: 'key|secret' }, 'key_invalid', '`key`: API key of Qianfan V2'],
    [{ plugin: { web_search: { enable: 'on' } } }, 'option_invalid', '`plugin.web_search.enable`'],
    [{ plugin: { web_search: { engine: 'x' } } }, 'option_invalid', '`plugin.web_search.engine`'],
    [{ plugin: { use_openai_api: { enable: true } } }, 'option_invalid', '`plugin.use_openai_api`'],
    [{ type: 1, plugin: { web_search: {} } }, 'option_invalid', '`plugin.web_search`'],
  ])('%j is refused as %s', async (more, code, text) => {
    const { status, body } = await make(more)
    expect([status, body.code]).toEqual([422, `channel.${code}`])
    expect(body.message).toContain(text)
    expect(body.message).not.toContain('secret')
  })

  it('updates of a channel and of a tag are checked too', async () => {
    const { body } = await make({ type: 35, key: 'account|token', base_url: '', tag: 'team' })
    const change = { key: 'token' }
    const updates = [
      await hub.root.put('/api/channel/', { id: body.data[0].id, ...change }),
      await hub.root.put('/api/channel_tag/team', change),
    ]
    expect(updates.map(update => update.body.code)).toEqual(
      Array.from(updates, () => 'channel.key_invalid'),
    )
  })

  it('options that are headers are encrypted, and refused where they frame the request', async () => {
    const plugin = { headers: { 'CF-Access-Client-Secret': 'made-up-canary' } }
    const [channel] = (await make({ type: 39, plugin })).body.data
    expect([channel.plugin, channel.is_set.model_headers]).toEqual([{}, true])
    const headers = { 'CF-Access-Client-Id': 'made-up-id' }
    const { id } = channel
    expect((await hub.root.put('/api/channel/', { id, plugin: { headers } })).status).toBe(200)
    const row = await rows.find(hub.app.db, id)
    expect(JSON.stringify(row)).not.toContain('made-up')
    expect(JSON.parse(openSecret(hub.app, row!, 'model_headers'))).toEqual({
      ...plugin.headers,
      ...headers,
    })
    const refused = await make({ type: 39, plugin: { headers: { Host: 'x' } } })
    expect(refused.body.code).toBe('channel.option_invalid')
  })

  it('options that an import stored stay until they are changed', async () => {
    const { id } = (await make({})).body.data[0]
    const imported = { use_openai_api: { enable: true } }
    await hub.app.db
      .updateTable('channels')
      .set({ plugin: JSON.stringify(imported) })
      .where('id', '=', id)
      .execute()
    const plugin = { ...imported, web_search: { enable: true } }
    const put = async (more: object) => (await hub.root.put('/api/channel/', { id, ...more })).body
    expect((await put({ plugin })).data.plugin).toEqual(plugin)
    const changed = await put({ plugin: { use_openai_api: { enable: false } } })
    expect(changed.code).toBe('channel.option_invalid')
  })
})
