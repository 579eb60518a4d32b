import type { Usage } from '@hub/dialects'
import { describe, expect, it } from 'vitest'
import { multiply, parseDecimal } from '../../lib/decimal.ts'
import { prepareCost } from '../price.ts'
import { usageOf } from '../usage.ts'
import { builtInPrices } from './built-in.ts'
import { termsOf } from './terms.ts'
import { toolPrices } from './tool-prices.ts'

/** Count and price of one kind of tokens. */
type Line = [count: number, usdPerMillion: string]
type Case = {
  model: string
  /** The page of the prices, and the page of the usage if it is another one. */
  source: string
  title: string
  usage: Partial<Usage>
  /** The cost by the vendor's page, written down here and not read from the built-in list. */
  bill: Line[]
  /** USD for calls of tools, in addition to the tokens. */
  tools?: string
}

const openAiPrices = 'https://developers.openai.com/api/docs/pricing'
const claudePrices = 'https://platform.claude.com/docs/en/about-claude/pricing'
const geminiPrices = 'https://ai.google.dev/gemini-api/docs/pricing'

const cases: Case[] = [
  {
    model: 'gemini-2.5-pro',
    source: `${geminiPrices}, https://ai.google.dev/gemini-api/docs/caching`,
    title: '100,000 tokens of a prompt that is stored for two hours',
    usage: { input: 100_000, tools: { cache_storage: 200_000 } },
    bill: [[100_000, '1.25']],
    tools: '0.9',
  },
  {
    model: 'gpt-4o',
    source: `${openAiPrices}, usage of https://developers.openai.com/api/docs/guides/prompt-caching`,
    title: 'a prompt of 2,006 tokens, 1,920 of them cached, and 300 tokens of answer',
    usage: { input: 86, cacheRead: 1920, output: 300 },
    bill: [
      [86, '2.5'],
      [1920, '1.25'],
      [300, '10'],
    ],
  },
  {
    model: 'gpt-5',
    source: `${openAiPrices}, usage of https://developers.openai.com/api/docs/guides/reasoning`,
    title: '75 tokens of prompt, 1,186 of answer, 1,024 of them thought',
    usage: { input: 75, output: 162, reasoning: 1024 },
    bill: [
      [75, '1.25'],
      [162, '10'],
      [1024, '10'],
    ],
  },
  {
    model: 'gpt-realtime-1.5',
    source:
      'https://developers.openai.com/api/docs/models/gpt-realtime-1.5, usage of https://developers.openai.com/api/docs/guides/realtime-costs',
    title: '119 tokens of text, 64 of them cached, 13 of audio in; 30 of text and 91 of audio out',
    usage: { input: 55, cacheRead: 64, audioInput: 13, output: 30, audioOutput: 91 },
    bill: [
      [55, '4'],
      [64, '0.4'],
      [13, '32'],
      [30, '16'],
      [91, '64'],
    ],
  },
  {
    model: 'gpt-audio',
    source: 'https://developers.openai.com/api/docs/models/gpt-audio',
    title: 'a million tokens of each kind',
    usage: { input: 1e6, audioInput: 1e6, output: 1e6, audioOutput: 1e6 },
    bill: [
      [1e6, '2.5'],
      [1e6, '32'],
      [1e6, '10'],
      [1e6, '64'],
    ],
  },
  {
    model: 'gemini-2.5-flash',
    source: 'https://ai.google.dev/gemini-api/docs/pricing#gemini-2.5-flash',
    title: 'a million tokens of each kind of input, fresh and cached',
    usage: { input: 1e6, audioInput: 1e6, cacheRead: 1e6, cacheReadAudio: 1e6 },
    bill: [
      [1e6, '0.3'],
      [1e6, '1'],
      [1e6, '0.03'],
      [1e6, '0.1'],
    ],
  },
  {
    model: 'gpt-image-1-mini',
    source:
      'https://developers.openai.com/api/docs/models/gpt-image-1-mini, usage of https://developers.openai.com/api/reference/resources/images',
    title: 'an edit: 10 tokens of text and 40 of image in, 50 of image out',
    usage: { input: 10, imageInput: 40, imageOutput: 50 },
    bill: [
      [10, '2'],
      [40, '2.5'],
      [50, '8'],
    ],
  },
  {
    model: 'gpt-5.4',
    source: 'https://developers.openai.com/api/docs/models/gpt-5.4',
    title: 'a prompt of 272,000 tokens: still the usual price',
    usage: { input: 72_000, cacheRead: 200_000, output: 1000 },
    bill: [
      [72_000, '2.5'],
      [200_000, '0.25'],
      [1000, '15'],
    ],
  },
  {
    model: 'gpt-5.4',
    source: 'https://developers.openai.com/api/docs/models/gpt-5.4',
    title: 'a token more: twice the input, one and a half times the output',
    usage: { input: 72_001, cacheRead: 200_000, output: 1000 },
    bill: [
      [72_001, '5'],
      [200_000, '0.5'],
      [1000, '22.5'],
    ],
  },
  {
    model: 'gpt-4.1',
    source: openAiPrices,
    title: 'three searches of the older kind at 25 USD per 1,000, and two of files at 2.50 USD',
    usage: { input: 1000, output: 100, tools: { web_search_preview: 3, file_search: 2 } },
    bill: [
      [1000, '2'],
      [100, '8'],
    ],
    tools: '0.08',
  },
  {
    model: 'claude-sonnet-4-5',
    source: `${claudePrices}, usage of https://platform.claude.com/docs/en/build-with-claude/prompt-caching`,
    title:
      '2,048 fresh tokens, 1,800 from the cache, 148 written for 5 minutes and 100 for an hour',
    usage: { input: 2048, cacheRead: 1800, cacheWrite5m: 148, cacheWrite1h: 100, output: 503 },
    bill: [
      [2048, '3'],
      [1800, '0.3'],
      [148, '3.75'],
      [100, '6'],
      [503, '15'],
    ],
  },
  {
    model: 'claude-opus-4-5',
    source: claudePrices,
    title: 'the page’s own usage of a web search, at 10 USD per 1,000',
    usage: {
      input: 105,
      cacheRead: 7123,
      cacheWrite5m: 7345,
      output: 6039,
      tools: { web_search: 1 },
    },
    bill: [
      [105, '5'],
      [7123, '0.5'],
      [7345, '6.25'],
      [6039, '25'],
    ],
    tools: '0.01',
  },
  {
    model: 'claude-fable-5-1',
    source: claudePrices,
    title: 'the one column that is no tenth: cache reads at 0.25 USD',
    usage: { input: 10_000, cacheRead: 990_000, cacheWrite1h: 20_000, output: 777 },
    bill: [
      [10_000, '10'],
      [990_000, '0.25'],
      [20_000, '20'],
      [777, '50'],
    ],
  },
  {
    model: 'gemini-2.5-pro',
    source: `${geminiPrices}, usage of https://ai.google.dev/gemini-api/docs/caching`,
    title:
      'a video of 696,219 tokens, all but 29 cached: the price of prompts above 200,000 tokens',
    usage: { input: 29, cacheRead: 696_190, output: 214 },
    bill: [
      [29, '2.5'],
      [696_190, '0.25'],
      [214, '15'],
    ],
  },
  {
    model: 'gemini-2.5-pro',
    source: geminiPrices,
    title: 'a prompt of 200,000 tokens, thoughts at the price of the answer',
    usage: { input: 200_000, output: 500, reasoning: 4000 },
    bill: [
      [200_000, '1.25'],
      [500, '10'],
      [4000, '10'],
    ],
  },
  {
    model: 'gemini-2.5-flash',
    source: `${geminiPrices}, 32 tokens a second by https://ai.google.dev/gemini-api/docs/audio`,
    title: 'an hour of audio with a question, an image of 258 tokens, and an answer',
    usage: { input: 50, audioInput: 115_200, imageInput: 258, output: 800, reasoning: 1200 },
    bill: [
      [50, '0.3'],
      [115_200, '1'],
      [258, '0.3'],
      [800, '2.5'],
      [1200, '2.5'],
    ],
  },
  {
    model: 'gemini-2.5-flash',
    source: geminiPrices,
    title:
      'a million tokens of audio: exactly a dollar, though the ratio to the text price never ends',
    usage: { audioInput: 1e6 },
    bill: [[1e6, '1']],
  },
  {
    model: 'gemini-2.5-flash-image',
    source: geminiPrices,
    title: 'an image of 1,290 tokens at 30 USD, which the page rounds to 0.039 USD',
    usage: { input: 20, imageOutput: 1290 },
    bill: [
      [20, '0.3'],
      [1290, '30'],
    ],
  },
]

/** USD × 500,000, rounded up, computed without code of billing. */
const pointsOf = ({ bill, tools = '0' }: Case): bigint => {
  const scale = 40
  const of = (text: string) => {
    const { digits, scale: places } = parseDecimal(text)!
    return digits * 10n ** BigInt(scale - places)
  }
  const lines = bill.reduce((sum, [count, usd]) => sum + BigInt(count) * of(usd), 0n)
  const whole = lines + of(tools) * 1_000_000n
  const unit = 2n * 10n ** BigInt(scale)
  return (whole + unit - 1n) / unit
}

describe('published prices and usage examples give exact charges', () => {
  it.each(cases)('$model: $title ($source)', example => {
    const row = builtInPrices().find(each => each.model === example.model)!
    const cost = prepareCost(termsOf(row, '1', toolPrices(500_000, row)))
    expect(BigInt(cost.cost(usageOf(example.usage)))).toBe(pointsOf(example))
  })

  it('group ratios apply before the one rounding', () => {
    for (const example of cases) {
      const row = builtInPrices().find(each => each.model === example.model)!
      const cost = prepareCost(termsOf(row, '0.37', toolPrices(500_000, row)))
      const discountedBill = example.bill.map(([count, usd]): Line => [count, withGroupRatio(usd)])
      const tools = withGroupRatio(example.tools ?? '0')
      expect(BigInt(cost.cost(usageOf(example.usage)))).toBe(
        pointsOf({ ...example, bill: discountedBill, tools }),
      )
    }
  })
})

const withGroupRatio = (usd: string) => {
  const { digits, scale } = multiply(parseDecimal(usd)!, parseDecimal('0.37')!)
  const text = digits.toString().padStart(scale + 1, '0')
  return scale === 0 ? text : `${text.slice(0, -scale)}.${text.slice(-scale)}`
}
