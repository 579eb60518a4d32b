import type { Served } from '../../../upstream/turn.ts'
import type { RecordedCall } from '../recording-proxy.ts'

type Comparison = {
  equal: number
  /** Equal but for the output limit, which the client did not name. */
  limited: number
  changed: number
}

const withoutLimit = (body: Buffer): string | undefined => {
  const { max_output_tokens: limit, ...rest } = JSON.parse(String(body))
  return limit === undefined ? undefined : JSON.stringify(rest)
}

/** Compares the bodies that the vendor received with those that the client sent. */
export const compareBodies = (
  sent: readonly RecordedCall[],
  served: readonly Pick<Served, 'body'>[],
): Comparison => {
  const bodies = sent.map(each => String(each.body))
  const found: Comparison = { equal: 0, limited: 0, changed: 0 }
  for (const { body } of served) {
    const at = bodies.indexOf(String(body))
    const bare = at < 0 ? withoutLimit(body) : undefined
    const index = bare === undefined ? at : bodies.indexOf(bare)
    if (index < 0) found.changed += 1
    else if (bare === undefined) found.equal += 1
    else found.limited += 1
    if (index >= 0) bodies.splice(index, 1)
  }
  return found
}
