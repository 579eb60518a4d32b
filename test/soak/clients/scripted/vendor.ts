import { countTokens } from '../../../upstream/dialects/index.ts'
import { gone, pause, type Served, type Turn } from '../../../upstream/turn.ts'
import { type Call, contentType, piecesOf, type Said, type Usage } from './answer.ts'
import {
  type Conversation,
  type Json,
  readConversation,
  type Wire,
  wireOf,
} from './conversation.ts'

export type VendorRequest = Conversation & { wire: Wire; body: Json; n: number }

/** What the vendor does with a request: refuses it with a sentence, or says something. */
export type Decision =
  | { refusal: string; code?: string }
  | {
      content: Said
      /** The stream stands still after its first piece until the client leaves; called when it does so. */
      stalls?: (() => void) | undefined
    }

/** Plays a vendor that decides on each request as the script says, in the wire format of the request. */
export const playVendor =
  (decide: (request: VendorRequest) => Decision) =>
  async (turn: Turn): Promise<void> => {
    const { response, served } = turn
    const wire = wireOf(served.path)
    if (wire === undefined) return countTokens(turn)
    const body: Json = JSON.parse(String(served.body))
    const decision = decide({ ...readConversation(wire, body), wire, body, n: served.n })
    if ('refusal' in decision) {
      const { refusal: message, code = 400 } = decision
      response.writeHead(400, { 'content-type': 'application/json' })
      const error = { message, type: 'invalid_request_error', code }
      return void response.end(JSON.stringify({ type: 'error', message, error }))
    }
    const pieces = await piecesOf(wire, served.model, served.n, decision.content)
    response.writeHead(200, { 'content-type': contentType(wire) })
    for (const [at, piece] of pieces.entries()) {
      response.write(piece)
      if (!decision.stalls || !isStarted(wire, at)) continue
      decision.stalls()
      while (await pause(turn, 20));
      return
    }
    if (gone(turn)) return
    response.end()
    served.complete = true
  }

/** A call that costs something, and no count of tokens. */
export const isCall = ({ path }: Pick<Served, 'path'>): boolean => wireOf(path) !== undefined

/** The caller has seen a part of the answer: the head and the first of its thoughts or words. */
const isStarted = (wire: Wire, at: number): boolean =>
  at === (wire === 'responses' ? 4 : wire === 'gemini' ? 1 : 2)

export const noCall: readonly Call[] = []

export const say = (text: string, usage: Usage, thought = ''): Said => ({
  thought,
  text,
  calls: noCall,
  usage,
})
