import { beforeAll, expect, it } from 'vitest'
import { answerJson, answerStream, useRelayHub } from '../../../test/relay-hub.ts'

const hub = useRelayHub()

// https://platform.claude.com/docs/en/agents-and-tools/tool-use/advisor-tool: the advisor's tokens are in `iterations`.
const usage = {
  ...{ input_tokens: 5, output_tokens: 2 },
  iterations: [
    { type: 'message', input_tokens: 5, output_tokens: 2 },
    { type: 'advisor_message', model: 'claude-advisor', input_tokens: 30, output_tokens: 3 },
  ],
}
const head = { id: 'msg_1', type: 'message', role: 'assistant', model: 'claude-x' }

beforeAll(async () => {
  await hub.addChannel(14, 'claude-x')
  hub.upstream.play('claude-x', turn => {
    const content = [{ type: 'text', text: 'Done.' }]
    if (!turn.stream) return answerJson(turn, { ...head, content, stop_reason: 'end_turn', usage })
    answerStream(turn, [
      { type: 'message_start', message: { ...head, content, usage: { input_tokens: 5 } } },
      { type: 'message_delta', delta: { stop_reason: 'end_turn' }, usage },
      { type: 'message_stop' },
    ])
  })
})

it.each([false, true])(
  'tokens of an advisor are charged and named in the log, streamed: %s',
  async stream => {
    const messages = [{ role: 'user', content: 'Hi' }]
    const body = { model: 'claude-x', max_tokens: 9, stream, messages }
    const response = await hub.post('/v1/messages', body)
    await response.text()
    const id = response.headers.get('x-request-id')
    await expect
      .poll(async () => {
        const { body: list } = await hub.app.root.get('/api/log/?log_type=2')
        const row = list.data.data.find((each: { id: number }) => String(each.id) === id)
        return row && [row.quota, row.metadata.notes]
      })
      .toEqual([40, ['gateway: tokens of claude-advisor charged as claude-x']])
  },
)
