import { audioWeight, type ChatEvent, weightedCharsInEvent } from '@hub/dialects'

type PartKind = 'thinking' | 'audio' | 'file'
type LastPart = { index: number; kind: PartKind }

/** The kind of a part, or of more of it; undefined for text and calls. The base64 of a file is no text. */
const kindOf = (event: ChatEvent, lastParts: LastPart[]): PartKind | undefined => {
  if (event.type === 'delta') {
    const last = lastParts[event.choice ?? 0]
    return last?.index === event.index ? last.kind : undefined
  }
  if (event.type !== 'part') return undefined
  const { part } = event
  if (part.type !== 'thinking' && part.type !== 'media') return undefined
  const sort = part.type === 'media' && part.mime.startsWith('audio/') ? 'audio' : 'file'
  const kind = part.type === 'thinking' ? 'thinking' : sort
  lastParts[event.choice ?? 0] = { index: event.index, kind }
  return kind
}

/** The length of a file's base64 in an event. */
const base64In = (event: ChatEvent): number => {
  if (event.type === 'delta') return event.text.length
  if (event.type !== 'part' || event.part.type !== 'media') return 0
  return event.part.base64?.length ?? 0
}

/** Counts the output in the events of a stream that is translated. */
export class EventMeter {
  private weight = 0
  private reasoning = 0
  private audio = 0
  /** The last part of each choice, where it is reasoning or a file. */
  private readonly lastParts: LastPart[] = []
  /** Tokens of a second of sound; undefined for the usual. */
  private readonly audioRate: number | undefined

  constructor(audioTokensPerSecond: number | undefined) {
    this.audioRate = audioTokensPerSecond
  }

  add(event: ChatEvent): void {
    const kind = kindOf(event, this.lastParts)
    const audio = kind === 'audio' ? audioWeight(base64In(event), this.audioRate) : 0
    const isBase64 = event.type === 'delta' && (kind === 'audio' || kind === 'file')
    const weight = audio + (isBase64 ? 0 : weightedCharsInEvent(event))
    this.weight += weight
    this.audio += audio
    if (kind === 'thinking') this.reasoning += weight
  }

  tokens(): number {
    return Math.ceil(this.weight / 4)
  }

  audioTokens(): number {
    return Math.ceil(this.audio / 4)
  }

  /** Output tokens without visible reasoning. */
  answerTokens(): number {
    return Math.ceil((this.weight - this.reasoning) / 4)
  }
}
