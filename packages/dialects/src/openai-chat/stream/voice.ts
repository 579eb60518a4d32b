import type {
  ChatEvent,
  Citation,
  Logprob,
  MediaPart,
  Part,
  Signature,
  ToolCallPart,
} from '../../canon.ts'

type Emit = (event: ChatEvent) => void
type Held = { key: number; part: ToolCallPart }

/**
 * One of the answers of a stream, part by part. Canon's parts follow one another; here pieces of several calls may come
 * in turns. So a later call is held back until the one before it is whole.
 */
export type Voice = {
  text(text: string, refusal: boolean, logprobs: Logprob[] | undefined): void
  thought(text: string, signature: Signature | undefined): void
  part(part: Part): void
  /** `key`: the stream's own number of the call; `part`: what this piece says, undefined fields as ''. */
  call(key: number | undefined, part: ToolCallPart): void
  sound(part: MediaPart): void
  /** To the last words; left out where none were said. */
  cite(citation: Citation): void
  prove(signature: Signature): void
  /** Nothing more will come: what was held back is told. */
  flush(): void
  hasCalls(): boolean
}

export const voiceOf = (choice: number | undefined, replyId: string, emit: Emit): Voice => {
  const place = choice === undefined ? {} : { choice }
  let index = -1
  let kind = ''
  let openKey = -1
  let input = ''
  let calls = 0
  let held: Held[] = []
  /** Of calls that were told: their ids by key. */
  const ids = new Map<number, string>()
  /** Of the stream's numbers: the key of the call that each of them named last. */
  const last = new Map<number, number>()

  const open = (name: string, part: Part): void => {
    if (kind === 'call' && name !== 'call') flush()
    index += 1
    kind = name
    emit({ type: 'part', ...place, index, part })
  }

  const openCall = ({ key, part }: Held): void => {
    openKey = key
    input = part.input
    open('call', part)
  }

  const isWhole = (): boolean => {
    try {
      JSON.parse(input)
      return true
    } catch {
      return false
    }
  }

  const release = (): void => {
    while (held.length > 0 && isWhole()) openCall(held.shift()!)
  }

  const flush = (): void => {
    const rest = held
    held = []
    for (const each of rest) openCall(each)
    openKey = -1
  }

  const grow = (text: string): void => {
    if (text === '') return
    input += text
    emit({ type: 'delta', ...place, index, text })
    release()
  }

  const voice: Voice = {
    text: (text, refusal, logprobs) => {
      const name = refusal ? 'refusal' : 'text'
      if (kind !== name) {
        open(name, refusal ? { type: 'text', text: '', refusal: true } : { type: 'text', text: '' })
      }
      if (logprobs) emit({ type: 'delta', ...place, index, text, logprobs })
      else if (text !== '') emit({ type: 'delta', ...place, index, text })
    },
    thought: (text, signature) => {
      if (kind !== 'thinking') open('thinking', { type: 'thinking', text: '' })
      if (text !== '') emit({ type: 'delta', ...place, index, text })
      if (!signature) return
      emit({ type: 'signature', ...place, index, signature })
      // What is proved is at its end.
      kind = ''
    },
    part: part => open('', part),
    sound: part => {
      if (kind !== 'sound') return open('sound', part)
      if (part.base64) emit({ type: 'delta', ...place, index, text: part.base64 })
      if (part.transcript) emit({ type: 'transcript', ...place, index, text: part.transcript })
    },
    call: (given, part) => {
      // Some vendors give no number, or the same one to all: a new id is a new call.
      const named = part.id === '' ? openKey : ids.size
      let key = given === undefined ? named : (last.get(given) ?? given)
      const before = ids.get(key)
      if (before !== undefined && part.id !== '' && part.name !== '' && part.id !== before)
        key = ids.size
      if (given !== undefined) last.set(given, key)
      if (key === openKey && kind === 'call') return grow(part.input)
      const waiting = held.find(each => each.key === key)
      if (waiting) {
        waiting.part.input += part.input
        return
      }
      if (ids.has(key)) return
      if (part.id === '') part.id = `call_${replyId}_${calls}`
      ids.set(key, part.id)
      calls += 1
      if (kind === 'call' && openKey >= 0 && !isWhole()) held.push({ key, part })
      else openCall({ key, part })
    },
    cite: citation => {
      if (kind === 'text') emit({ type: 'citation', ...place, index, citation })
    },
    prove: signature => {
      if (index >= 0) emit({ type: 'signature', ...place, index, signature })
    },
    flush,
    hasCalls: () => calls > 0,
  }
  return voice
}
