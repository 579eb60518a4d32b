/** One format in which callers send an operation, and its addresses. */
type FormatSpec<Format extends string> = {
  /** An export of `packages/dialects/src/callers/formats.ts`. */
  format: Format
  /** The end of its addresses. Absent: it has only those in `relay/formats/`, or those that `actions` end. */
  path?: string
  /** The beginnings of its addresses, the documented one first. Absent: `versioned`. */
  prefixes?: readonly string[]
  /** The ends of addresses that name the model: `…/models/{model}:{action}`. */
  actions?: readonly string[]
  /** The shortest request for a text, without the model. Absent: it needs a file or has no text. */
  request?: (text: string) => Readonly<Record<string, unknown>>
  /** Answers stream as text where the field `stream` asks for it. */
  streamsText?: true
  /** The batches of OpenAI's API accept it. */
  isBatched?: true
  /** New API's name for the endpoint. */
  newApiName?: string
}

/** Models that the operation serves, as their names tell. The pattern with the lowest rank decides. */
type ModelNames = { pattern: RegExp; rank: number }

type OperationSpec<Format extends string> = {
  /** The translations of the operation read and write the first. */
  formats: readonly FormatSpec<Format>[]
  /** Forms are accepted as well as JSON, or must be sent. Absent: JSON only. */
  forms?: 'accepted' | 'required'
  models?: ModelNames
  /** The fields in which the test of a channel differs from the shortest request. Absent: such a test would be charged. */
  testFields?: Readonly<Record<string, unknown>>
}

/** For clients whose base address was given with the version, and without it. */
const versioned = ['/v1', '']
/** The addresses of Azure: https://learn.microsoft.com/azure/ai-foundry/openai/reference */
const azure = '/openai/v1'
/** The addresses that clients of other gateways give to Cursor. */
const cursor = '/cursor/v1'
/** Google's addresses for clients of OpenAI's API: https://ai.google.dev/gemini-api/docs/openai */
const google = '/v1beta/openai'

const user = (content: string) => [{ role: 'user', content }]
const prompt = (text: string) => ({ prompt: text })
const input = (text: string) => ({ input: text })

/**
 * Every operation that callers wait for. Routes, handlers, `serves` of providers, tests of channels, model lists, batches,
 * the table of providers and the log details read it. Names in the console: `conformance.operations.<id>`.
 */
const table = {
  chat: {
    formats: [
      {
        format: 'openaiChat',
        path: '/chat/completions',
        prefixes: [...versioned, azure, cursor, google],
        request: text => ({ messages: user(text) }),
        streamsText: true,
        isBatched: true,
        newApiName: 'openai',
      },
      {
        format: 'openaiResponses',
        path: '/responses',
        prefixes: [...versioned, azure, cursor],
        request: input,
        streamsText: true,
        isBatched: true,
        newApiName: 'openai-response',
      },
      {
        format: 'anthropic',
        path: '/messages',
        prefixes: [...versioned, '/claude/v1', '/anthropic/v1', cursor],
        request: text => ({ max_tokens: 1024, messages: user(text) }),
        streamsText: true,
        newApiName: 'anthropic',
      },
      {
        format: 'gemini',
        actions: ['generateContent', 'streamGenerateContent'],
        request: text => ({ contents: [{ role: 'user', parts: [{ text }] }] }),
        newApiName: 'gemini',
      },
    ],
    testFields: { messages: user('Answer with the word "hi".') },
  },
  embeddings: {
    formats: [
      {
        format: 'openaiEmbeddings',
        path: '/embeddings',
        prefixes: [...versioned, azure, google],
        request: input,
        isBatched: true,
        newApiName: 'embeddings',
      },
      { format: 'geminiEmbeddings', actions: ['embedContent', 'batchEmbedContents'] },
    ],
    models: {
      pattern: /embed|(^|[/-])(bge|e5|gte|uae)-|llm2vec|retrieval|jina-clip/i,
      rank: 2,
    },
    testFields: {},
  },
  completions: {
    formats: [
      {
        format: 'openaiCompletions',
        path: '/completions',
        request: prompt,
        streamsText: true,
        isBatched: true,
      },
    ],
    models: { pattern: /^(davinci-002|babbage-002|gpt-3\.5-turbo-instruct.*)$/, rank: 9 },
    testFields: { max_tokens: 1 },
  },
  rerank: {
    formats: [
      {
        format: 'jinaRerank',
        path: '/rerank',
        request: text => ({ query: text, documents: [text] }),
        newApiName: 'jina-rerank',
      },
      { format: 'cohereRerank', path: '/rerank', prefixes: ['/v2'], newApiName: 'jina-rerank' },
    ],
    // Rerankers share their names with embedding models, but return no vectors.
    models: { pattern: /rerank/i, rank: 1 },
    testFields: { documents: ['hello', 'bye'] },
  },
  moderations: {
    formats: [
      { format: 'openaiModerations', path: '/moderations', request: input, isBatched: true },
    ],
    models: { pattern: /moderation/i, rank: 3 },
    testFields: {},
  },
  images: {
    formats: [
      {
        format: 'openaiImages',
        path: '/images/generations',
        prefixes: [...versioned, google],
        request: prompt,
        newApiName: 'image-generation',
      },
    ],
    models: {
      // Gemini's image models are called by chat.
      pattern:
        /dall-e|gpt-image|cogview|kolors|flux|stable-(diffusion|image)|^sd3|nova-canvas|titan-image|^recraft|grok-.*image|^imagen-|qwen-image/i,
      rank: 8,
    },
  },
  'image-edits': {
    formats: [{ format: 'openaiImageEdits', path: '/images/edits' }],
    forms: 'accepted',
  },
  'image-variations': {
    formats: [{ format: 'openaiImageVariations', path: '/images/variations' }],
    forms: 'required',
  },
  /** A form goes to a tool of the vendor, such as an upscaler, whose address names it. Its JSON comes back as it is. */
  'image-tools': {
    formats: [{ format: 'imageTools' }],
    forms: 'required',
    models: { pattern: /^recraft_/, rank: 6 },
  },
  speech: {
    formats: [
      {
        format: 'openaiSpeech',
        path: '/audio/speech',
        request: text => ({ input: text, voice: 'alloy' }),
      },
    ],
    models: {
      pattern:
        /(^|[/-])tts(-|$)|cosyvoice|deepgram\/aura|fish-speech|^speech-\d|(^|[/-])playai-tts|orpheus/i,
      rank: 5,
    },
    testFields: {},
  },
  transcriptions: {
    formats: [{ format: 'openaiTranscriptions', path: '/audio/transcriptions' }],
    forms: 'required',
    models: { pattern: /whisper|transcribe|(^|\/)sensevoice|telespeechasr/i, rank: 4 },
  },
  translations: {
    formats: [{ format: 'openaiTranscriptions', path: '/audio/translations' }],
    forms: 'required',
  },
  /** Its sockets are in `sockets/formats/`. */
  realtime: { formats: [] },
} as const satisfies Record<string, OperationSpec<string>>

export type CallOperation = keyof typeof table
/** The formats that the rows name. */
type FormatName = (typeof table)[CallOperation]['formats'][number]['format']
export type CallFormat = FormatSpec<FormatName>

export const callOperations: Readonly<Record<CallOperation, OperationSpec<FormatName>>> = table
export const callOperationIds = Object.keys(table) as CallOperation[]

/** Operations that vendors carry out as tasks, whose routes are in `tasks/formats/`. */
const tasks = {
  videos: {
    models: {
      pattern:
        /(^|[/-])(veo|sora)-\d|^kling-(v|video)|^vidu(q|\d)|hailuo|seedance|^wanx?\d.*(t2v|i2v|kf2v|r2v|video)|^jimeng_.*v30/i,
      rank: 7,
    },
    newApiName: 'openai-video',
  },
  midjourney: {},
  music: {},
} as const satisfies Record<string, { models?: ModelNames; newApiName?: string }>

export type TaskOperation = keyof typeof tasks
export const taskOperations: Readonly<
  Record<TaskOperation, { models?: ModelNames; newApiName?: string }>
> = tasks

/** The addresses of a format, the documented one first. */
export const addressesOf = ({ path, prefixes = versioned }: CallFormat): string[] =>
  path === undefined ? [] : prefixes.map(prefix => `${prefix}${path}`)

/** The documented address of an operation in its first format. Undefined: it has none of its own. */
export const addressOf = (operation: CallOperation): string | undefined => {
  const [format] = callOperations[operation].formats
  return format && addressesOf(format)[0]
}

export const callFormats = callOperationIds.flatMap(each => callOperations[each].formats)

/** The actions by which the formats of an operation end their addresses. */
export const actionsOf = (operation: CallOperation | TaskOperation): string[] =>
  operation in taskOperations
    ? []
    : callOperations[operation as CallOperation].formats.flatMap(({ actions = [] }) => actions)

/** The format that callers use at an address, whatever stands before its end. */
export const callFormatAt = (address: string): CallFormat | undefined =>
  callFormats.find(
    ({ path, actions = [] }) =>
      (path !== undefined && address.endsWith(path)) ||
      actions.some(action => address.toLowerCase().endsWith(`:${action.toLowerCase()}`)),
  )
