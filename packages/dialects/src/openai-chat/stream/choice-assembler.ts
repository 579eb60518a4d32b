import type {
  ChatEvent,
  Citation,
  Logprob,
  MediaPart,
  Part,
  Signature,
  TextPart,
  ThinkingPart,
  ToolCallPart,
} from '../../canon.ts'

type PendingCall = { kind: 'call'; key: number; part: ToolCallPart }
type PendingText = { kind: 'text' | 'refusal' | 'thinking'; part: TextPart | ThinkingPart }

/** No part is open. */
const none = ''

/**
 * Assembles one choice of a stream part by part. Parts in canon follow one another, but chunks of several tool calls may
 * alternate here, also with text. So a later call or text waits until the call before it is complete.
 */
export class ChoiceAssembler {
  private readonly emit: (event: ChatEvent) => void
  /** Spread into each event; the first choice has no `choice` field. */
  private readonly position: { choice?: number }
  private index = -1
  private openKind = none
  private openKey = -1
  private openInput = ''
  private calls = 0
  private pending: (PendingCall | PendingText)[] = []
  /** Sources that came before their text. */
  private earlyCitations: Citation[] = []
  /** A signature that came before its part. */
  private earlySignature: Signature | undefined
  /** The ids of emitted calls by key. */
  private readonly ids = new Map<number, string>()
  /** The key of the latest call by the stream's own number. */
  private readonly keys = new Map<number, number>()

  constructor(choice: number | undefined, emit: (event: ChatEvent) => void) {
    this.position = choice === undefined ? {} : { choice }
    this.emit = emit
  }

  get hasToolCalls(): boolean {
    return this.calls > 0
  }

  addText(text: string, isRefusal: boolean, logprobs: Logprob[] | undefined): void {
    const kind = isRefusal ? 'refusal' : 'text'
    const part: TextPart = { type: 'text', text: '', ...(isRefusal ? { refusal: true } : {}) }
    if (this.isCallIncomplete()) {
      this.hold(kind, part, text, logprobs)
      return
    }
    if (this.openKind !== kind) this.openBehindCalls(kind, part)
    if (logprobs) this.emit({ type: 'delta', ...this.position, index: this.index, text, logprobs })
    else this.addDelta(text)
  }

  addThinking(text: string, signature: Signature | undefined): void {
    const part: ThinkingPart = { type: 'thinking', text: '' }
    if (!signature && this.isCallIncomplete()) {
      this.hold('thinking', part, text)
      return
    }
    if (this.openKind !== 'thinking') this.openBehindCalls('thinking', part)
    this.addDelta(text)
    if (!signature) return
    this.emit({ type: 'signature', ...this.position, index: this.index, signature })
    // A signature ends its part.
    this.openKind = none
  }

  addPart(part: Part): void {
    this.openBehindCalls(none, part)
  }

  addAudio(part: MediaPart): void {
    if (this.openKind !== 'audio') {
      this.openBehindCalls('audio', part)
      return
    }
    if (part.base64) this.addDelta(part.base64)
    if (part.transcript)
      this.emit({
        type: 'transcript',
        ...this.position,
        index: this.index,
        text: part.transcript,
      })
  }

  /** `number` is the stream's own number of the call. `part` is this chunk of it, with '' for absent fields. */
  addToolCall(number: number | undefined, part: ToolCallPart): void {
    const key = this.keyOf(number, part)
    if (key === this.openKey && this.openKind === 'call') {
      this.extendCall(part.input)
      return
    }
    const pending = this.pending.find(each => each.kind === 'call' && each.key === key)
    if (pending?.kind === 'call') {
      pending.part.input += part.input
      return
    }
    if (this.ids.has(key)) return
    this.ids.set(key, part.id)
    this.calls += 1
    const call: PendingCall = { kind: 'call', key, part }
    if (this.isCallIncomplete()) this.pending.push(call)
    else this.openCall(call)
  }

  /** Cites for the open text, or for the next one: OpenRouter sends sources before the text. */
  addCitation(citation: Citation): void {
    if (this.openKind === 'text')
      this.emit({ type: 'citation', ...this.position, index: this.index, citation })
    else this.earlyCitations.push(citation)
  }

  /** The sources for which no text came. */
  citationsLeft(): readonly Citation[] {
    return this.earlyCitations
  }

  addSignature(signature: Signature): void {
    if (this.index >= 0)
      this.emit({ type: 'signature', ...this.position, index: this.index, signature })
    else this.earlySignature = signature
  }

  /** Emits what is pending, because no further chunk of it will arrive. */
  flush(): void {
    const { pending } = this
    this.pending = []
    for (const each of pending) this.openPending(each)
    this.openKey = -1
  }

  /** Keeps a text until the open call, which it must not end, is complete. */
  private hold(
    kind: PendingText['kind'],
    part: PendingText['part'],
    text: string,
    logprobs?: Logprob[],
  ): void {
    if (text === '') return
    const last = this.pending.at(-1)
    const held = last?.kind === kind ? last.part : part
    if (held === part) this.pending.push({ kind, part })
    held.text += text
    if (logprobs && held.type === 'text') held.logprobs = [...(held.logprobs ?? []), ...logprobs]
  }

  private openPending(pending: PendingCall | PendingText): void {
    if (pending.kind === 'call') this.openCall(pending)
    else this.open(pending.kind, pending.part)
  }

  private openBehindCalls(kind: string, part: Part): void {
    if (this.openKind === 'call') this.flush()
    this.open(kind, part)
  }

  private addDelta(text: string): void {
    if (text !== '') this.emit({ type: 'delta', ...this.position, index: this.index, text })
  }

  private open(kind: string, part: Part): void {
    this.index += 1
    this.openKind = kind
    this.emit({ type: 'part', ...this.position, index: this.index, part })
    if (this.earlySignature) {
      this.addSignature(this.earlySignature)
      this.earlySignature = undefined
    }
    if (kind !== 'text' || this.earlyCitations.length === 0) return
    for (const citation of this.earlyCitations) this.addCitation(citation)
    this.earlyCitations = []
  }

  /** Some vendors send no number, or the same one for all calls. So a new id begins a new call. */
  private keyOf(number: number | undefined, part: ToolCallPart): number {
    const unnumbered = part.id === '' ? this.openKey : this.ids.size
    let key = number === undefined ? unnumbered : (this.keys.get(number) ?? number)
    const id = this.ids.get(key)
    if (id !== undefined && part.id !== '' && part.name !== '' && part.id !== id)
      key = this.ids.size
    if (number !== undefined) this.keys.set(number, key)
    return key
  }

  private openCall({ key, part }: PendingCall): void {
    this.openKey = key
    this.openInput = part.input
    this.open('call', part)
  }

  private extendCall(text: string): void {
    if (text === '') return
    this.openInput += text
    this.addDelta(text)
    while (this.pending.length > 0 && !this.isCallIncomplete())
      this.openPending(this.pending.shift()!)
  }

  private isCallIncomplete(): boolean {
    return this.openKind === 'call' && this.openKey >= 0 && !this.isCallComplete()
  }

  private isCallComplete(): boolean {
    try {
      JSON.parse(this.openInput)
      return true
    } catch {
      return false
    }
  }
}
