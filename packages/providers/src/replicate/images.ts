import { noUsage, tokensPerImage } from '@hub/dialects'
import { aspectRatioOf, isRefusal, parseObject, readImageRequest } from '../openai-fields.ts'
import type { OperationTranslation } from '../operation-translation.ts'
import { awaitPrediction, decodePredictionFault, hasEnded } from './prediction.ts'

/** Those of FLUX: https://replicate.com/black-forest-labs/flux-schnell/api/schema */
const ratios = ['1:1', '16:9', '21:9', '3:2', '2:3', '4:5', '5:4', '3:4', '4:3', '9:16', '9:21']

/** Some models draw several images in one prediction; the answer tells how many were made. */
const countMax = 4

const imagesIn = (output: unknown): string[] =>
  [output].flat().filter(each => typeof each === 'string')

/** A prediction may still be `processing` although its images are there, but not while some are missing. */
export const awaitImages = awaitPrediction(
  ({ output, input }) => imagesIn(output).length < (input?.num_outputs ?? 1),
)

/** A prediction that is awaited in its own request. Inputs keep the names of each model. */
export const images: OperationTranslation = {
  encodeRequest: request => {
    const read = readImageRequest(request, {
      countMax,
      formats: ['png', 'jpg', 'jpeg', 'webp'],
    })
    if (isRefusal(read)) return read
    const { model, size, ...fields } = read.fields
    const ratio = aspectRatioOf(size, ratios)
    if (isRefusal(ratio)) return ratio
    const [, version] = String(model).split(':')
    const input = {
      ...(ratio === undefined ? {} : { aspect_ratio: ratio }),
      ...(read.n > 1 ? { num_outputs: read.n } : {}),
      ...fields,
      ...(fields.output_format === 'jpeg' ? { output_format: 'jpg' } : {}),
    }
    return {
      body: { ...(version === undefined ? {} : { version }), input },
      dropped: read.dropped,
    }
  },
  decodeAnswer: ({ body }) => {
    const { status, output } = parseObject(body) ?? {}
    const data = imagesIn(output).map(url => ({ url }))
    if (data.length === 0 || hasEnded(status)) return undefined
    const usage = { ...noUsage(), input: tokensPerImage * data.length }
    return { body: { created: 0, data }, usage }
  },
  decodeFault: decodePredictionFault,
}
