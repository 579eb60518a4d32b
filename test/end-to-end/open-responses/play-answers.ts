import type { Vendor } from '../../conformance/cell.ts'
import type { NeutralResponse } from '../../conformance/neutral.ts'
import type { TestHub } from '../../harness/test-hub.ts'
import { startStream } from '../../upstream/dialects/chat.ts'
import { handleCompact } from '../../upstream/dialects/responses.ts'
import { write } from '../../upstream/turn.ts'

let count = 0

/** The vendor answers all requests of a new model so, one after the other, and the last for ever. Returns the model. */
export const playAnswers = (
  hub: TestHub,
  vendor: Vendor,
  ...answers: readonly NeutralResponse[]
): string => {
  count += 1
  const model = `${vendor.models.usual}-x${count}`
  let turns = 0
  hub.upstream.play(model, async turn => {
    if (turn.served.path.endsWith('/compact')) return handleCompact(turn, new Map())
    const answer = answers[Math.min(turns, answers.length - 1)]!
    turns += 1
    // The vendor's half of the conformance tests gives every response the same id.
    const id = `resp_${count}_${turns}`
    const withId = (body: string) => body.replace(/resp_68af\w+/g, id)
    if (turn.stream || turn.served.path.includes(':stream')) {
      startStream(turn)
      for (const frame of vendor.stream(answer, model)) await write(turn, withId(frame))
      return void turn.response.end()
    }
    const body = vendor.whole(answer, model)
    turn.response.writeHead(200, { 'content-type': 'application/json' })
    turn.response.end(withId(JSON.stringify(body)))
  })
  return model
}
