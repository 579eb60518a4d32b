import type { Operation } from '@hub/providers'

/** Videos are tasks, which have no endpoint of a call. */
export type ModelOperation = Operation | 'videos'

/** Only a model's name tells its operation, as in One Hub. The first pattern that matches decides. */
const patterns: readonly (readonly [RegExp, ModelOperation])[] = [
  // Rerankers share their names with embedding models, but return no vectors.
  [/rerank/i, 'rerank'],
  [/embed|(^|[/-])(bge|e5|gte|uae)-|llm2vec|retrieval|jina-clip/i, 'embeddings'],
  [/moderation/i, 'moderations'],
  [/whisper|transcribe|(^|\/)sensevoice|telespeechasr/i, 'transcriptions'],
  [
    /(^|[/-])tts(-|$)|cosyvoice|deepgram\/aura|fish-speech|^speech-\d|(^|[/-])playai-tts|orpheus/i,
    'speech',
  ],
  [/^recraft_/, 'image-tools'],
  [
    /(^|[/-])(veo|sora)-\d|^kling-(v|video)|^vidu(q|\d)|hailuo|seedance|^wanx?\d.*(t2v|i2v|kf2v|r2v|video)|^jimeng_.*v30/i,
    'videos',
  ],
  // Gemini's image models are called by chat.
  [
    /dall-e|gpt-image|cogview|kolors|flux|stable-(diffusion|image)|^sd3|nova-canvas|titan-image|^recraft|grok-.*image|^imagen-|qwen-image/i,
    'images',
  ],
  [/^(davinci-002|babbage-002|gpt-3\.5-turbo-instruct.*)$/, 'completions'],
]

/** Guesses the operation of a model by its name, for model lists and channel tests. */
export const operationOfModel = (model: string): ModelOperation =>
  patterns.find(([pattern]) => pattern.test(model))?.[1] ?? 'chat'
