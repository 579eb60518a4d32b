import { type AwsEvent, awsFrame } from '../dialects/aws.ts'
import { shareOf } from './figures.ts'
import { times, tokens } from './money.ts'
import { type Answer, type Call, type Priced, refuse, type Vendor } from './vendor.ts'

type Model = Priced & {
  tiers?: true
  /** The ratio of latency-optimised inference, where the model has it. */
  optimized?: string
}

/**
 * https://aws.amazon.com/bedrock/pricing/ draws its figures in the browser, so they could not be read from a stored page;
 * these are its standard prices as other price lists repeat them. Cache writes of Claude cost 1.25 and 2 times the input,
 * those of Nova nothing more than the input is free of charge.
 */
const models: Record<string, Model> = {
  'openai.gpt-oss-120b-1:0': { input: '0.15', output: '0.6', tiers: true },
  'amazon.nova-pro-v1:0': {
    input: '0.8',
    output: '3.2',
    cached: '0.2',
    write: '0',
    tiers: true,
    optimized: '1.25',
  },
  'anthropic.claude-sonnet-4-6': {
    input: '3',
    output: '15',
    cached: '0.3',
    write: '3.75',
    write1h: '6',
  },
}

/** "Priority: Standard rate + premium. Flex: Discounted standard model rate": https://aws.amazon.com/bedrock/service-tiers.
 * The premium of 75% and the discount of 50% stand on the pricing page only; doubtful. */
const ratios: Record<string, string> = { default: '1', priority: '1.75', flex: '0.5' }

/** https://docs.aws.amazon.com/bedrock/latest/APIReference/API_runtime_TokenUsage.html: cached tokens stand next to
 * the input; `cacheDetails` has the writes by lifetime, 1h before 5m. */
const usageOf = ({ body, figures }: Call, model: Model) => {
  const all = figures.between(2_000, 90_000)
  const text = JSON.stringify(body)
  const caches = model.cached !== undefined && text.includes('"cachePoint"')
  const read = caches ? shareOf(figures, all) : 0
  const hour = caches && text.includes('"ttl":"1h"') ? shareOf(figures, all - read) : 0
  const minutes = caches && !text.includes('"ttl":"1h"') ? shareOf(figures, all - read) : 0
  return {
    input: all - read - hour - minutes,
    read,
    hour,
    minutes,
    output: figures.between(1, 4_000),
  }
}

const wireUsage = ({ input, read, hour, minutes, output }: ReturnType<typeof usageOf>) => ({
  inputTokens: input,
  outputTokens: output,
  totalTokens: input + output + read + hour + minutes,
  cacheReadInputTokens: read,
  cacheWriteInputTokens: hour + minutes,
  ...(hour + minutes
    ? {
        cacheDetails: [
          ...(hour ? [{ ttl: '1h', inputTokens: hour }] : []),
          ...(minutes ? [{ ttl: '5m', inputTokens: minutes }] : []),
        ],
      }
    : {}),
})

const streamOf = (metadata: object): Promise<Buffer[]> => {
  const events: AwsEvent[] = [
    ['messageStart', { role: 'assistant' }],
    ['contentBlockDelta', { contentBlockIndex: 0, delta: { text: 'It is so.' } }],
    ['contentBlockStop', { contentBlockIndex: 0 }],
    ['messageStop', { stopReason: 'end_turn' }],
    ['metadata', metadata],
  ]
  return Promise.all(events.map(awsFrame))
}

export const bedrock: Vendor = {
  name: 'bedrock',
  prices: models,
  answer: async (call): Promise<Answer> => {
    const { body, figures } = call
    const model = models[call.model]
    if (!model) return refuse('The provided model identifier is invalid.')
    const tier = body.serviceTier?.type ?? 'default'
    if (!ratios[tier]) return refuse(`Unknown service tier ${tier}`)
    if (tier !== 'default' && !model.tiers) return refuse(`${call.model} has no tier ${tier}`)
    const latency = body.performanceConfig?.latency ?? 'standard'
    if (latency === 'optimized' && !model.optimized)
      return refuse('Latency performance configuration is not supported for this model.')
    // "Once you reach the usage quota for latency optimization, we will attempt to serve the request with Standard
    // latency … charged at Standard latency rates … visible in API response":
    // https://docs.aws.amazon.com/bedrock/latest/userguide/latency-optimized-inference.html
    const served = latency === 'optimized' && figures.chance(20) ? 'standard' : latency
    const usage = usageOf(call, model)
    const ratio = times(ratios[tier], served === 'optimized' ? model.optimized! : '1')
    const at = (rate: string | undefined) => times(rate ?? '0', ratio)
    const lines = [
      tokens('input', usage.input, at(model.input)),
      tokens('cache reads', usage.read, at(model.cached)),
      tokens('5m cache writes', usage.minutes, at(model.write)),
      tokens('1h cache writes', usage.hour, at(model.write1h)),
      tokens('output', usage.output, at(model.output)),
    ]
    const metadata = {
      usage: wireUsage(usage),
      metrics: { latencyMs: 10 },
      ...(body.serviceTier ? { serviceTier: { type: tier } } : {}),
      ...(body.performanceConfig ? { performanceConfig: { latency: served } } : {}),
    }
    const message = { role: 'assistant', content: [{ text: 'It is so.' }] }
    const wire = call.streamed
      ? { frames: await streamOf(metadata) }
      : { body: { output: { message }, stopReason: 'end_turn', ...metadata } }
    return { status: 200, ...wire, lines, served: `${tier} ${served}` }
  },
}
