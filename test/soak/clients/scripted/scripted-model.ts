import { type RuleSet, refusalOf } from './rules.ts'
import { callsAt, done, positionOf, scriptedTurns } from './turns.ts'
import { type Asked, type Decision, noCall, say } from './vendor.ts'

const usage = { input: 7, cached: 0, output: 3 }
/** At a point for each token, what a finished call costs. */
export const tokensOfCall = usage.input + usage.output

/** A model that follows the ten turns in a folder, for a vendor that enforces its rules. */
export const scriptedModel = (rules: RuleSet, folder: string) => {
  const refusals: string[] = []
  let sawImage = false
  let announce: () => void = () => undefined
  const stalled = new Promise<void>(resolve => {
    announce = resolve
  })
  const decide = (asked: Asked): Decision => {
    const refusal = refusalOf(rules, asked)
    if (refusal !== undefined) {
      refusals.push(refusal)
      return { refusal }
    }
    const position = positionOf(asked)
    if (!position || asked.tools.length === 0) return { said: say('A title', usage) }
    const { turn, prompt } = position
    const { isImage, isStopped } = scriptedTurns[turn - 1] ?? {}
    if (isImage) sawImage ||= asked.messages.some(each => each.images > 0) || prompt.images > 0
    const thought = rules.thinks ? `I think about turn ${turn}.` : ''
    if (isStopped)
      return { said: say('This will take a while. '.repeat(4), usage, thought), stalls: announce }
    const calls = callsAt(position, asked, { folder, n: asked.n })
    if (calls.length === 0) return { said: say(done(turn), usage, thought) }
    return { said: { thought, text: '', calls: calls.length ? calls : noCall, usage } }
  }
  return { decide, refusals, stalled, sawImage: () => sawImage }
}
