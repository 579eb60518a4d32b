type JsonBody = Record<string, unknown>

/** A request of a caller, a POST where no method is named. */
export type CallerRequest = {
  method?: 'GET'
  path: string
  body?: JsonBody | FormData
  /** The request opens a WebSocket. */
  isSocket?: true
}

const user = (content: unknown) => [{ role: 'user', content }]
const contents = [{ role: 'user', parts: [{ text: 'Hi' }] }]

const form = (fields: Record<string, string>, file: string, name = 'a.txt'): FormData => {
  const data = new FormData()
  for (const [name, value] of Object.entries(fields)) data.append(name, value)
  data.append(file, new Blob(['abc'], { type: 'application/octet-stream' }), name)
  return data
}

/** The calls of chat, by the dialect of the caller. */
export const chatRequests: Readonly<Record<string, (model: string) => CallerRequest>> = {
  'openai-chat': model => ({
    path: '/v1/chat/completions',
    body: { model, messages: user('Hi') },
  }),
  'openai-responses': model => ({
    path: '/v1/responses',
    body: { model, input: 'Hi', store: false },
  }),
  anthropic: model => ({
    path: '/v1/messages',
    body: { model, max_tokens: 50, messages: user('Hi') },
  }),
  gemini: model => ({ path: `/v1beta/models/${model}:generateContent`, body: { contents } }),
}

/** Every other operation that leaves for a vendor while its caller waits, by its name. */
export const otherRequests: Readonly<Record<string, () => CallerRequest>> = {
  'streamed chat': () => ({
    path: '/v1/chat/completions',
    body: { model: 'h-openai', messages: user('Hi'), stream: true },
  }),
  embeddings: () => ({ path: '/v1/embeddings', body: { model: 'h-embed', input: 'Hi' } }),
  'embeddings of Gemini': () => ({
    path: '/v1beta/models/h-gemini-embed:embedContent',
    body: { content: { parts: [{ text: 'Hi' }] } },
  }),
  completions: () => ({ path: '/v1/completions', body: { model: 'h-openai', prompt: 'Hi' } }),
  moderations: () => ({ path: '/v1/moderations', body: { model: 'h-openai', input: 'Hi' } }),
  images: () => ({ path: '/v1/images/generations', body: { model: 'h-image', prompt: 'A' } }),
  'image edits': () => ({
    path: '/v1/images/edits',
    body: form({ model: 'h-image', prompt: 'A' }, 'image'),
  }),
  'image variations': () => ({
    path: '/v1/images/variations',
    body: form({ model: 'h-image-2' }, 'image'),
  }),
  'images of a private format': () => ({
    path: '/v1/images/generations',
    body: { model: 'h-private', prompt: 'A' },
  }),
  speech: () => ({
    path: '/v1/audio/speech',
    body: { model: 'h-openai', input: 'Hi', voice: 'alloy' },
  }),
  transcriptions: () => ({
    path: '/v1/audio/transcriptions',
    body: form({ model: 'h-openai' }, 'file', 'a.mp3'),
  }),
  translations: () => ({
    path: '/v1/audio/translations',
    body: form({ model: 'h-openai' }, 'file', 'a.mp3'),
  }),
  rerank: () => ({
    path: '/v1/rerank',
    body: { model: 'h-rerank', query: 'a', documents: ['b'] },
  }),
  'tokens of Messages': () => ({
    path: '/v1/messages/count_tokens',
    body: { model: 'h-anthropic', messages: user('Hi') },
  }),
  'tokens of Gemini': () => ({
    path: '/v1beta/models/h-gemini:countTokens',
    body: { contents },
  }),
  'background response': () => ({
    path: '/v1/responses',
    body: { model: 'h-openai', input: 'Hi', background: true, store: true },
  }),
  files: () => ({ path: '/v1/files', body: form({ purpose: 'user_data' }, 'file') }),
  'a file': () => ({ method: 'GET', path: '/v1/files/file-1' }),
  'the content of a file': () => ({ method: 'GET', path: '/v1/files/file-1/content' }),
  uploads: () => ({
    path: '/v1/uploads',
    body: { filename: 'a.txt', purpose: 'user_data', bytes: 3, mime_type: 'text/plain' },
  }),
  'vector stores': () => ({ path: '/v1/vector_stores', body: { name: 'a' } }),
  'a search in a vector store': () => ({
    path: '/v1/vector_stores/vs_1/search',
    body: { query: 'a' },
  }),
  'batch of Messages': () => ({
    path: '/v1/messages/batches',
    body: {
      requests: [
        {
          custom_id: 'a',
          params: { model: 'h-anthropic', max_tokens: 5, messages: user('Hi') },
        },
      ],
    },
  }),
  'cached contents': () => ({
    path: '/v1beta/cachedContents',
    body: { model: 'models/h-gemini', contents, ttl: '60s' },
  }),
  videos: () => ({ path: '/v1/videos', body: { model: 'h-video', prompt: 'A dog' } }),
  songs: () => ({ path: '/suno/submit/music', body: { prompt: 'a', mv: 'chirp-v4' } }),
  'images of Midjourney': () => ({ path: '/mj/submit/imagine', body: { prompt: 'a' } }),
  'realtime session': () => ({
    method: 'GET',
    path: '/v1/realtime?model=h-openai',
    isSocket: true,
  }),
}
