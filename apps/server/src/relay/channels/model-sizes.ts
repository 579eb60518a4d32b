import type { VendorInfo } from '@hub/contract'
import { findModel, outputMaxOf } from '@hub/dialects'
import { cachedQuery } from '../../core/app-scoped.ts'
import { listSizes } from '../../db/queries/model-info.ts'
import { type Channel, contextSizeOf, upstreamModelOf } from './channel.ts'

/** Tokens; 0 for unknown. */
type ModelSizes = ReadonlyMap<string, { context: number; output: number }>

/** The sizes of the model information. */
export const modelSizes = cachedQuery<ModelSizes>(
  ['model-info'],
  async app =>
    new Map(
      (await listSizes(app.callDb)).map(each => [
        each.model,
        { context: each.context_length, output: each.max_tokens },
      ]),
    ),
)

/**
 * The longest prompt that the channel takes: by its own list, the model information, or the vendor's documents. Undefined:
 * nobody knows.
 */
export const contextOf = (known: ModelSizes, channel: Channel, model: string): number | undefined =>
  contextSizeOf(channel, model) ??
  (sizeOf(known, channel, model, 'context') || findModel(upstreamModelOf(channel, model))?.context)

/** No vendor documents a longer answer for a model that the list of models has no figure for. */
const unknownOutput = 131_072

/** The longest answer in tokens: by the model information, or else by the vendor's documents, at most the context. */
export const outputOf = (known: ModelSizes, channel: Channel, model: string): number => {
  const listed = sizeOf(known, channel, model, 'output')
  if (listed > 0) return listed
  const output = outputMaxOf(upstreamModelOf(channel, model)) ?? unknownOutput
  return Math.min(output, contextOf(known, channel, model) ?? output)
}

const sizeOf = (
  known: ModelSizes,
  channel: Channel,
  model: string,
  size: 'context' | 'output',
): number => known.get(upstreamModelOf(channel, model))?.[size] || known.get(model)?.[size] || 0

/** The figures that the vendor of a model documents, by the name that callers use. Empty: the list of models does not have it. */
export const vendorInfoOf = (model: string): { vendor_info?: VendorInfo } => {
  const row = findModel(model)
  if (!row) return {}
  const { context = 0, output = 0, inputs, outputs, source, date } = row
  const modalities = { input_modalities: [...inputs], output_modalities: [...outputs] }
  return {
    vendor_info: { context_length: context, max_tokens: output, ...modalities, source, date },
  }
}
