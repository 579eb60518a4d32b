import type { DialectId, Framing } from '@hub/dialects'
import { z } from 'zod'
import type { Quirk } from './quirks.ts'
import type { Sign } from './signing.ts'

export type Operation = 'chat' | 'embeddings'

/** What an address may depend on. */
export type Target = {
  /** The model as it is sent, mapped. */
  model: string
  stream: boolean
  /** Many are asked for in one body, where a vendor has an address of its own for that. */
  isBatch?: boolean | undefined
  /** The channel's extras, by section. */
  options: Readonly<Record<string, Readonly<Record<string, unknown>>>>
  /** The channel's free field. */
  other: string
}

/** What an operator keeps of a channel, beside its address. */
export type Kept = { credential: string; other: string }

/** A path under the base address; from a function, undefined: this channel has it switched off. */
export type Path = string | ((target: Target) => string | undefined)

/**
 * What a vendor has for the answers that it keeps: they can be read and removed, their input listed, made after the call
 * has ended (and stopped), and made shorter.
 */
export type Keeping = 'answers' | 'input' | 'background' | 'compaction'

export type Endpoint = {
  dialect: DialectId
  path: Path
  framing: Framing
  /** Streams report their usage only when asked, and this vendor understands the question. */
  usageFlag: boolean
  quirks: readonly Quirk[]
  /** Serves only these models. */
  only?: RegExp
  /** Absent: each call is forgotten when it ends. */
  keeps?: readonly Keeping[]
}

/** Where a prompt's tokens are counted, and what must be said otherwise there. */
export type Counting = Pick<Endpoint, 'path' | 'quirks' | 'only'>

/** What this vendor means by a refusal, where the status alone does not say it. `fault` is a code of the contract. */
export type Meaning = { status?: number; match?: RegExp; fault: string; channel?: 'disable' }

/** What the vendor said, in its own words. */
export type Said = { status: number; message: string; type: string; code: string }

/** The first that fits; undefined: the status says it all. */
export const meaningOf = (
  means: readonly Meaning[],
  { status, message, type, code }: Said,
): Meaning | undefined =>
  means.find(
    each =>
      (each.status === undefined || each.status === status) &&
      (each.match === undefined || each.match.test(`${message} ${type} ${code}`)),
  )

/** What is left of an account, in the currency that the vendor counts in. */
export type Left = { amount: number; currency: 'USD' | 'CNY' }

/** How a vendor tells what is left. Undefined: its answers do not say it. */
export type Balance = {
  /** Asked in this order, each with GET and the channel's credential. */
  paths: readonly string[]
  read(answers: readonly unknown[], baseUrl: string): Left | undefined
}

export type Provider = {
  id: string
  /** One Hub's channel-type number. */
  type: number
  name: string
  /** '': there is none, the channel must say it. `{name}`: a blank. */
  baseUrl: string
  /** Fills the blanks of an address from what the operator keeps beside it: an account, a region; never a secret. */
  blanks?: (kept: Kept) => Readonly<Record<string, string | undefined>>
  credential: z.ZodType
  sign: Sign
  /** Said with every request, where the caller said nothing else. Names in lower case. */
  headers: Readonly<Record<string, string>>
  /** Empty: known, but not usable yet. The first endpoint of an operation is its mother tongue. */
  serves: Partial<Record<Operation, readonly Endpoint[]>>
  /** Where it tells, in the words of a dialect that it speaks, how many tokens a prompt has. It must cost nothing. */
  counts?: Partial<Record<DialectId, Counting>>
  keyHint: string
  links: { site?: string; keys?: string; docs?: string }
  /** Filled into a new channel. */
  presets: readonly string[]
  testModel: string
  /** Path of the model list, in OpenAI's shape unless `modelIds` reads it. */
  models?: string
  modelIds?: (list: unknown) => string[]
  /** Absent: the vendor has no address for it, or none that an API key may ask. */
  balance?: Balance
  options?: z.ZodType
  means: readonly Meaning[]
}

type Given = 'id' | 'type' | 'name' | 'baseUrl' | 'credential' | 'sign' | 'serves'
type Definition = Pick<Provider, Given> & Partial<Omit<Provider, Given>>

export const defineProvider = (definition: Definition): Provider => ({
  keyHint: 'API key',
  headers: {},
  links: {},
  presets: [],
  testModel: definition.presets?.[0] ?? '',
  means: [],
  ...definition,
})

export const speak = (
  dialect: DialectId,
  path: Path,
  more: Partial<Pick<Endpoint, 'usageFlag' | 'quirks' | 'only' | 'framing' | 'keeps'>> = {},
): Endpoint => ({ dialect, path, framing: 'sse', usageFlag: false, quirks: [], ...more })

export const countAt = (path: Path, more: Partial<Omit<Counting, 'path'>> = {}): Counting => ({
  path,
  quirks: [],
  ...more,
})

export const secret = () => z.string().min(1).meta({ secret: true })
export const apiKey = () => secret().meta({ secret: true, label: 'API key' })

const cloudflare = 'https://gateway.ai.cloudflare.com'

/** An address below another one, before what that one asks. */
export const pathUnder =
  (path: Path, rest: string): Path =>
  target => {
    const whole = typeof path === 'string' ? path : path(target)
    if (whole === undefined) return undefined
    const [own = '', ...query] = whole.split('?')
    return [own + rest, ...query].join('?')
  }

type Place = Target & { baseUrl: string; credential?: string }

/** The whole address; undefined where the channel switched this endpoint off, or does not say what fills a blank. */
export const addressOf = (
  provider: Pick<Provider, 'baseUrl' | 'blanks'>,
  endpoint: Pick<Endpoint, 'path'>,
  channel: Place,
): string | undefined => {
  const base = baseOf(provider, channel)
  const path = typeof endpoint.path === 'string' ? endpoint.path : endpoint.path(channel)
  if (path === undefined || !base) return undefined
  // Cloudflare's gateway has this part of the vendor's path in its own address.
  const isShort = base.startsWith(cloudflare)
  return base + (isShort ? path.replace(/^(\/v1|\/openai\/deployments)(?=\/)/, '') : path)
}

const baseOf = (
  { baseUrl, blanks }: Pick<Provider, 'baseUrl' | 'blanks'>,
  { baseUrl: own, credential = '', other }: Place,
): string | undefined => {
  const base = (own || baseUrl).replace(/\/+$/, '')
  if (!blanks || !base.includes('{')) return base
  const filling = blanks({ credential, other })
  let isWhole = true
  const filled = base.replace(/\{(\w+)\}/g, (_, name: string) => {
    const value = filling[name] ?? ''
    // Nothing that could lead to another host or path.
    isWhole &&= /^\w[\w.-]*$/.test(value)
    return value
  })
  return isWhole ? filled : undefined
}

/** The form of a channel's extras, for the console. */
export const optionsForm = ({ options }: Pick<Provider, 'options'>): Record<string, unknown> =>
  options ? (z.toJSONSchema(options) as Record<string, unknown>) : {}

export { bearer, header, query, unsigned } from './signing.ts'
