import { proofOf } from './answer.ts'
import { type RuleSet, refusalOf, stateRefusalOf } from './rules.ts'
import { callsAt, done, editsIn, positionOf, scriptedTurns } from './turns.ts'
import { type Decision, noCall, say, type VendorRequest } from './vendor.ts'

const usage = { input: 7, cached: 0, output: 3 }
/** At a point for each token, what a finished call costs. */
export const tokensOfCall = usage.input + usage.output

/** Aider asks for a summary of a long conversation: https://github.com/Aider-AI/aider/blob/main/aider/history.py */
const isHistory = (text: string): boolean => /^# (USER|ASSISTANT)$/m.test(text)

/** A model that follows the ten turns in a folder, for a vendor that enforces its rules. */
export const scriptedModel = (rules: RuleSet, folder: string, writesEdits = false) => {
  const refusals: string[] = []
  const foreignThoughts: string[] = []
  let sawImage = false
  let announce: () => void = () => undefined
  const stalled = new Promise<void>(resolve => {
    announce = resolve
  })
  const decide = (request: VendorRequest): Decision => {
    const refusal = refusalOf(rules, request)
    if (refusal !== undefined) {
      refusals.push(refusal)
      return { refusal }
    }
    const foreign = stateRefusalOf(rules, request)
    if (foreign) {
      foreignThoughts.push(foreign.refusal)
      return foreign
    }
    const position = positionOf(request)
    if (
      !position ||
      (request.tools.length === 0 && !writesEdits) ||
      isHistory(position.prompt.text)
    )
      return { content: say('A title', usage) }
    const { turn, prompt } = position
    const { isImage, isStopped } = scriptedTurns[turn - 1] ?? {}
    if (isImage) sawImage ||= request.messages.some(each => each.images > 0) || prompt.images > 0
    const thought = rules.thinks ? `I think about turn ${turn}.` : ''
    const proof = proofOf(rules.name)
    const words = (text: string) => ({ thought, text, calls: noCall, usage, proof })
    if (isStopped) return { content: words('This will take a while. '.repeat(4)), stalls: announce }
    if (writesEdits) return { content: words(editsIn(turn) + done(turn)) }
    const calls = callsAt(position, request, { folder, n: request.n })
    return { content: calls.length === 0 ? words(done(turn)) : { ...words(''), calls } }
  }
  /** The same without standing still. */
  const answerAll = (request: VendorRequest): Decision => {
    const decision = decide(request)
    return 'content' in decision ? { content: decision.content } : decision
  }
  return {
    decide,
    answerAll,
    refusals,
    foreign: foreignThoughts,
    stalled,
    sawImage: () => sawImage,
  }
}
