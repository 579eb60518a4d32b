/**
 * What a model that is called by Converse knows beyond what all know, by its name. The name of an inference profile may
 * say nothing (`arn:…:application-inference-profile/abc`): then the caller's word goes on, and the vendor judges it.
 */
export type Ability = {
  /** Where "remember the prompt up to here" may stand. */
  marks: 'nowhere' | 'prompt' | 'everywhere'
  /** Knows schemas for answers, and strict tools. */
  schemas: boolean
  /** How it is told how much to think. */
  thinks?: 'nova' | 'effort'
  topK?: (value: number) => Record<string, unknown>
}

// https://docs.aws.amazon.com/bedrock/latest/userguide/prompt-caching.html,
// https://docs.aws.amazon.com/bedrock/latest/userguide/structured-output.html
export const abilityOf = (model: string): Ability => {
  if (/nova/.test(model))
    return {
      marks: 'prompt',
      schemas: false,
      ...(/nova-2/.test(model) ? { thinks: 'nova' as const } : {}),
      topK: value => ({ inferenceConfig: { topK: value } }),
    }
  if (/gpt-oss/.test(model)) return { marks: 'nowhere', schemas: true, thinks: 'effort' }
  if (/cohere/.test(model))
    return { marks: 'nowhere', schemas: false, topK: value => ({ k: value }) }
  const isNamed = !model.startsWith('arn:') || vendors.test(model)
  return { marks: isNamed ? 'nowhere' : 'everywhere', schemas: !isNamed || schemas.test(model) }
}

const vendors =
  /[/.](ai21|amazon|deepseek|google|meta|minimax|mistral|moonshot|nvidia|qwen|writer|zai)\./
const schemas =
  /deepseek\.v3|gemma-3|kimi|magistral|minimax|ministral|mistral-large-3|nemotron|qwen3|voxtral/
