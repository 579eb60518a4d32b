import type { Exception } from '../cell.ts'
import { timeCall, weatherCall } from '../features/samples.ts'
import { signature, thought } from '../features/thinking.ts'
import { sampleMark } from '../marks.ts'
import { type Dialect, dialects, type Piece } from '../neutral.ts'

// A vendor refuses signatures that it did not make, so the gateway marks those of others.

/** The features with a signed thought before words, before a call, and with one that is not shown. */
const words = ['proof-goes-back', 'proof-moves']
const calls = ['proof-before-tool', 'call-moves']
const unseen = ['hidden-goes-back']

const gemini = 'https://ai.google.dev/gemini-api/docs/thought-signatures'
const claude = 'https://platform.claude.com/docs/en/build-with-claude/extended-thinking'

/** The page of each dialect that documents that a signature is sent back. */
const documents: Readonly<Record<Dialect, string>> = {
  'openai-chat': 'https://openrouter.ai/docs/guides/best-practices/reasoning-tokens',
  'openai-responses': 'https://platform.openai.com/docs/guides/reasoning#encrypted-reasoning-items',
  anthropic: claude,
  gemini,
}

const others = (vendor: Dialect): Dialect[] => dialects.filter(each => each !== vendor)

const base64 = (text: string): string => Buffer.from(text).toString('base64')

/** The text that the caller reads in place of a signature of another vendor. */
const sealed = (caller: Dialect, vendor: string, text: string = signature): string => {
  if (caller === 'openai-chat') return sampleMark + text
  const named = `${vendor}:${sampleMark}${text}`
  return caller === 'gemini' ? base64(named) : named
}

/** The mark alone, in the name of a dialect without signatures. */
const unsigned = (caller: 'anthropic' | 'gemini'): string => sealed(caller, 'openai-chat', '')

const yes: Piece = { text: 'Yes.' }
const bare: Piece = { thinking: thought.thinking }
const hidden: Piece = { thinking: '', hidden: true }

const signed = (piece: Piece, text: string): Piece => ({ ...piece, signature: text }) as Piece
const signedCall = (piece: Piece): Piece =>
  'call' in piece ? signed(piece, unsigned('gemini')) : piece

/** Thoughts have a place for a signature in every dialect. */
const ofThoughts = (caller: Dialect, vendor: Dialect): Exception[] => {
  const text = sealed(caller, vendor)
  const call = caller === 'gemini' ? signedCall(weatherCall) : weatherCall
  const received: [features: readonly string[], pieces: Piece[]][] = [
    [words, [signed(thought, text), yes]],
    [calls, [signed(thought, text), call]],
    [unseen, [signed(hidden, text), yes]],
  ]
  return received.map(([features, pieces]) => ({
    ...{ features, callers: [caller], upstreams: [vendor], how: 'otherwise' },
    received: { pieces },
    why: 'A foreign proof goes behind a mark of the gateway, and comes back to its vendor byte for byte.',
    source: documents[caller],
  }))
}

/** Chat has the field of Gemini for the signature of words or a call. */
const inChat = (): Exception[] => {
  const text = sealed('openai-chat', 'gemini')
  const received: [features: readonly string[], pieces: Piece[]][] = [
    [words, [bare, signed(yes, text)]],
    [calls, [bare, signed(weatherCall, text)]],
    [unseen, [signed(yes, text)]],
  ]
  return received.map(([features, pieces]) => ({
    ...{ features, callers: ['openai-chat'], upstreams: ['gemini'], how: 'otherwise' },
    received: { pieces },
    why: 'A signature of words or a call goes behind a mark of the gateway, and comes back to its vendor byte for byte.',
    source: gemini,
  }))
}

/** Messages has no field for a signature of text or calls: it is sent in a redacted thinking block next to them. */
const inMessages = (): Exception[] => {
  const rest = {
    ...{ callers: ['anthropic' as const], upstreams: ['gemini' as const] },
    ...{ how: 'otherwise' as const, source: gemini },
    why: 'A signature of words or a call goes in a hidden thought behind a mark of the gateway, and comes back to its vendor byte for byte.',
  }
  const shown = signed(bare, unsigned('anthropic'))
  const before = signed(hidden, sealed('anthropic', 'gemini'))
  const behind = signed(hidden, sealed('anthropic', 'gemini:'))
  const inMode = (
    features: readonly string[],
    mode: 'whole' | 'stream',
    ...pieces: Piece[]
  ): Exception => ({ ...rest, features, mode, received: { pieces } })
  return [
    inMode(words, 'whole', shown, before, yes),
    inMode(words, 'stream', shown, yes, behind),
    inMode(unseen, 'whole', before, yes),
    inMode(unseen, 'stream', yes, behind),
    { ...rest, features: calls, received: { pieces: [shown, before, weatherCall] } },
  ]
}

/** Responses has a place for the signature of a call, an item before it, and none for that of words. */
const inResponses = (): Exception[] => {
  const rest = {
    ...{ callers: ['openai-responses' as const], upstreams: ['gemini' as const] },
    source: 'https://platform.openai.com/docs/api-reference/responses/object',
  }
  const without = (features: readonly string[], pieces: Piece[]): Exception => ({
    ...{ ...rest, features, how: 'note', pattern: /signature/ },
    received: { pieces },
    returnedPieces: pieces,
    why: 'Words have no place for a signature, which the vendor recommends to send back but does not ask for.',
  })
  const before = signed(hidden, sealed('openai-responses', 'gemini'))
  return [
    without(words, [bare, yes]),
    without(unseen, [yes]),
    {
      ...{ ...rest, features: calls, how: 'otherwise' },
      received: { pieces: [bare, before, weatherCall] },
      why: 'The signature of a call goes in an item before it, behind a mark of the gateway, and comes back to its vendor byte for byte.',
    },
  ]
}

/** These vendors take thoughts with their own signature only. */
const leftOut = (vendor: Dialect, pattern: RegExp): Exception => ({
  ...{ features: ['thought-goes-back'], callers: others(vendor), upstreams: [vendor] },
  ...{ how: 'note', pattern, returnedPieces: [yes] },
  why: 'The vendor takes thoughts back with its own signature only.',
  source: documents[vendor],
})

/** Callers that need a signature where the vendor made none get the mark alone. */
const missing = (): Exception[] => {
  const called = (features: string[], ...pieces: Piece[]): Exception => ({
    ...{ features, callers: ['gemini'], how: 'otherwise' },
    upstreams: others('gemini'),
    received: { pieces: pieces.map(signedCall) },
    why: 'The vendor refuses calls without a signature. One of another vendor has a mark of the gateway there, which no vendor gets.',
    source: gemini,
  })
  return [
    called(
      [
        ...['tool', 'tools-one-by-one', 'tool-strict', 'tool-goes-back', 'stop-tool'],
        ...['choice-auto', 'choice-required', 'choice-named'],
      ],
      weatherCall,
    ),
    called(['tool-after-text'], { text: 'Let me look.' }, weatherCall),
    called(['tools-parallel', 'tool-pieces'], weatherCall, timeCall),
    called(['tool-without-input'], { call: 'now', id: 'call_Now03', input: {} }),
    {
      ...{ features: ['thoughts', 'thought-goes-back'], callers: ['anthropic'], how: 'otherwise' },
      upstreams: others('anthropic'),
      received: { pieces: [signed(bare, unsigned('anthropic')), yes] },
      why: 'Clients send thoughts back with their signature. One that its vendor did not sign has a mark of the gateway there, which no vendor gets.',
      source: claude,
    },
  ]
}

export const signatureExceptions: readonly Exception[] = [
  ...others('gemini').flatMap(vendor =>
    others(vendor).flatMap(caller => ofThoughts(caller, vendor)),
  ),
  ...inChat(),
  ...inMessages(),
  ...inResponses(),
  ...missing(),
  leftOut('anthropic', /thinking without a signature/),
  leftOut('openai-responses', /: thinking$/),
]
