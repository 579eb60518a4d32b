/**
 * Optional features of a model, read from its name. The name of an inference profile may hide the model
 * (`arn:…:application-inference-profile/abc`): then every feature is sent and the vendor decides.
 */
export type ModelFeatures = {
  /** Positions that accept a cache point. */
  cachePoints: 'nowhere' | 'prompt' | 'everywhere'
  /** Accepts response schemas and strict tools. */
  schemas: boolean
  /** Field that sets the thinking effort. */
  effortField?: 'nova' | 'effort'
  topK?: (value: number) => Record<string, unknown>
}

// https://docs.aws.amazon.com/bedrock/latest/userguide/prompt-caching.html,
// https://docs.aws.amazon.com/bedrock/latest/userguide/structured-output.html
export const featuresOf = (model: string): ModelFeatures => {
  if (/nova/.test(model))
    return {
      cachePoints: 'prompt',
      schemas: false,
      ...(/nova-2/.test(model) ? { effortField: 'nova' as const } : {}),
      topK: value => ({ inferenceConfig: { topK: value } }),
    }
  if (/gpt-oss/.test(model)) return { cachePoints: 'nowhere', schemas: true, effortField: 'effort' }
  if (/cohere/.test(model))
    return { cachePoints: 'nowhere', schemas: false, topK: value => ({ k: value }) }
  const isNamed = !model.startsWith('arn:') || vendorPattern.test(model)
  return {
    cachePoints: isNamed ? 'nowhere' : 'everywhere',
    schemas: !isNamed || schemaModels.test(model),
  }
}

const vendorPattern =
  /[/.](ai21|amazon|deepseek|google|meta|minimax|mistral|moonshot|nvidia|qwen|writer|zai)\./
const schemaModels =
  /deepseek\.v3|gemma-3|kimi|magistral|minimax|ministral|mistral-large-3|nemotron|qwen3|voxtral/
