import type { Operation } from '@hub/providers'

/** Only a model's name tells its operation, as in One Hub. The first pattern that matches decides. */
const patterns: readonly (readonly [RegExp, Operation])[] = [
  // Rerankers share their names with embedding models, but return no vectors.
  [/rerank/i, 'rerank'],
  [/embed|(^|[/-])(bge|e5|gte|uae)-|llm2vec|retrieval|jina-clip/i, 'embeddings'],
  [/moderation/i, 'moderations'],
  [/whisper|transcribe|(^|\/)sensevoice|telespeechasr/i, 'transcriptions'],
  [/(^|[/-])tts(-|$)|cosyvoice|fish-speech|(^|[/-])playai-tts|orpheus/i, 'speech'],
  // Gemini's image models are called by chat.
  [
    /dall-e|gpt-image|cogview|kolors|flux|stable-diffusion|grok-.*image|^imagen-|qwen-image/i,
    'images',
  ],
  [/^(davinci-002|babbage-002|gpt-3\.5-turbo-instruct.*)$/, 'completions'],
]

/** Guesses the operation of a model by its name, for model lists and channel tests. */
export const operationOfModel = (model: string): Operation =>
  patterns.find(([pattern]) => pattern.test(model))?.[1] ?? 'chat'
