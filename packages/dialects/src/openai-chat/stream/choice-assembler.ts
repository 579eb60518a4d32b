import type {
  ChatEvent,
  Citation,
  Logprob,
  MediaPart,
  Part,
  Signature,
  ToolCallPart,
} from '../../canon.ts'

type PendingCall = { key: number; part: ToolCallPart }

/** No part is open. */
const none = ''

/**
 * Assembles one choice of a stream part by part. Parts in canon follow one another, but chunks of several tool calls may
 * alternate here. So a later call waits until the one before it is complete.
 */
export class ChoiceAssembler {
  private readonly emit: (event: ChatEvent) => void
  private readonly answerId: string
  /** Spread into each event; the first choice has no `choice` field. */
  private readonly position: { choice?: number }
  private index = -1
  private openKind = none
  private openKey = -1
  private openInput = ''
  private calls = 0
  private pending: PendingCall[] = []
  /** Sources that came before their text. */
  private earlyCitations: Citation[] = []
  /** A signature that came before its part. */
  private earlySignature: Signature | undefined
  /** The ids of emitted calls by key. */
  private readonly ids = new Map<number, string>()
  /** The key of the latest call by the stream's own number. */
  private readonly keys = new Map<number, number>()

  constructor(choice: number | undefined, answerId: string, emit: (event: ChatEvent) => void) {
    this.position = choice === undefined ? {} : { choice }
    this.answerId = answerId
    this.emit = emit
  }

  get hasToolCalls(): boolean {
    return this.calls > 0
  }

  addText(text: string, isRefusal: boolean, logprobs: Logprob[] | undefined): void {
    const kind = isRefusal ? 'refusal' : 'text'
    if (this.openKind !== kind)
      this.open(kind, isRefusal ? { type: 'text', text: '', refusal: true } : emptyText())
    if (logprobs) this.emit({ type: 'delta', ...this.position, index: this.index, text, logprobs })
    else this.addDelta(text)
  }

  addThinking(text: string, signature: Signature | undefined): void {
    if (this.openKind !== 'thinking') this.open('thinking', { type: 'thinking', text: '' })
    this.addDelta(text)
    if (!signature) return
    this.emit({ type: 'signature', ...this.position, index: this.index, signature })
    // A signature ends its part.
    this.openKind = none
  }

  addPart(part: Part): void {
    this.open(none, part)
  }

  addAudio(part: MediaPart): void {
    if (this.openKind !== 'audio') {
      this.open('audio', part)
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
    const pending = this.pending.find(each => each.key === key)
    if (pending) {
      pending.part.input += part.input
      return
    }
    if (this.ids.has(key)) return
    if (part.id === '') part.id = `call_${this.answerId}_${this.calls}`
    this.ids.set(key, part.id)
    this.calls += 1
    if (this.openKind === 'call' && this.openKey >= 0 && !this.isCallComplete())
      this.pending.push({ key, part })
    else this.openCall({ key, part })
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

  /** Emits the pending calls, because no further chunk of them will arrive. */
  flush(): void {
    const { pending } = this
    this.pending = []
    for (const each of pending) this.openCall(each)
    this.openKey = -1
  }

  private addDelta(text: string): void {
    if (text !== '') this.emit({ type: 'delta', ...this.position, index: this.index, text })
  }

  private open(kind: string, part: Part): void {
    if (this.openKind === 'call' && kind !== 'call') this.flush()
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
    while (this.pending.length > 0 && this.isCallComplete()) this.openCall(this.pending.shift()!)
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

const emptyText = (): Part => ({ type: 'text', text: '' })
