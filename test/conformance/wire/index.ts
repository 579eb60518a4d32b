import type { Vendor } from '../cell.ts'
import type { CellRun } from '../cell-run.ts'
import type { Dialect, NeutralResponse } from '../neutral.ts'
import type { RecordedResponse } from '../recording-proxy.ts'
import { anthropic } from './anthropic.ts'
import { parse, parseSse } from './frames.ts'
import { gemini } from './gemini.ts'
import { openaiChat } from './openai-chat.ts'
import { openaiResponses } from './openai-responses.ts'
import type { Wire } from './wire.ts'

const wires: Readonly<Record<Dialect, Wire>> = {
  'openai-chat': openaiChat,
  'openai-responses': openaiResponses,
  anthropic,
  gemini,
}

/** Finds bytes that violate the dialect's documents, or that differ from the vendor's in the same dialect. */
export const checkWire = (cellRun: CellRun, passed: readonly RecordedResponse[]): string[] => {
  const { operation = 'chat' } = cellRun.feature
  if (!['chat', 'move', 'withWrongKey', 'withUnknownModel'].includes(operation)) return []
  const answers = [cellRun.expected.upstreamResponse, cellRun.feature.next?.response ?? {}]
  // Behind them, other vendors answer.
  const own = operation === 'move' ? passed.slice(0, answers.length) : passed
  return own.flatMap((each, at) => check(cellRun, each, answers[at] ?? {}))
}

const check = (cellRun: CellRun, passed: RecordedResponse, response: NeutralResponse): string[] => {
  const { caller, vendor, model } = cellRun
  const text = passed.bytes.toString()
  const wire = wires[caller.dialect]
  if (passed.isCut) return ['the connection broke']
  if (passed.status >= 400) return wire.error(parse(text), 'error')
  const isStream = passed.type.startsWith('text/event-stream')
  // The gateway writes errors in its own words, whichever vendor failed.
  const vendorText = encodedByVendor(vendor, response, model, isStream)
  if (caller.dialect === vendor.dialect && !response.refusal)
    return text === vendorText ? [] : ['the bytes are not the vendor’s']
  const names = [...text.matchAll(/"model(?:Version)?":"([^"]*)"/g)].map(([, name]) => name)
  const misnamed = names.filter(name => name !== model).map(name => `the model is called ${name}`)
  const errorsAndLists = [...misnamed, ...countsIn(text, vendorText, response)]
  if (!isStream) return [...errorsAndLists, ...wire.whole(parse(text))]
  const { frames, problems } = parseSse(text)
  return [...errorsAndLists, ...problems, ...(problems.length > 0 ? [] : wire.stream(frames))]
}

/** Each token count is one that the vendor reported, a sum of some, or zero. */
const countsIn = (text: string, vendorText: string, response: NeutralResponse): string[] => {
  const known = new Set([
    ...countsOf(vendorText).map(([, count]) => count),
    ...Object.values(response.usage ?? {}),
  ])
  const sums = new Set([0])
  for (const each of known) for (const sum of [...sums]) sums.add(sum + each)
  if (known.size > 0 && !response.refusal && countsOf(text).length === 0)
    return ['the usage is lost']
  return countsOf(text)
    .filter(([, count]) => !sums.has(count))
    .map(([name, count]) => `${name} is ${count}`)
}

const countsOf = (text: string): [name: string, count: number][] =>
  [...text.matchAll(/"([a-zA-Z_]*[tT]oken(?:s|Count))":(\d+)/g)]
    .map(([, name = '', count]): [string, number] => [name, Number(count)])
    .filter(([name]) => !limits.has(name))

/** Limits of the request that the response repeats. */
const limits: ReadonlySet<string> = new Set(['max_output_tokens', 'max_tokens'])

const encodedByVendor = (
  vendor: Vendor,
  response: NeutralResponse,
  model: string,
  isStream: boolean,
): string =>
  isStream ? vendor.stream(response, model).join('') : JSON.stringify(vendor.whole(response, model))
