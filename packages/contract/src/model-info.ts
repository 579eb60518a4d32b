import { z } from 'zod'
import {
  del,
  get,
  Id,
  ListSource,
  NoData,
  NoInput,
  patchOf,
  post,
  put,
  resource,
  rowFields,
  Seconds,
} from './resource.ts'

/** The modalities that the console offers. Others can be entered. */
export const modalities = ['text', 'image', 'audio', 'video', 'music'] as const

const textMax = 50
const countMax = 20
const urlMax = 500

const Texts = z.array(z.string().trim().min(1).max(textMax)).max(countMax)
const Urls = z
  .array(
    z
      .url()
      .regex(/^https?:\/\/\S+$/i)
      .max(urlMax),
  )
  .max(countMax)

/** A list as One Hub sends it: the text of a JSON array. It is stored without spaces and duplicates. */
const listText = (
  list: typeof Texts | typeof Urls,
  message: string,
  parse: (text: string) => unknown = parseJson,
) =>
  z
    .string()
    .max(countMax * (urlMax + 10))
    .transform((text, context) => {
      const { data } = list.safeParse(parse(text))
      if (data) return JSON.stringify([...new Set(data)])
      context.addIssue({ code: 'custom', message })
      return z.NEVER
    })

const parseJson = (text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

const TextList = listText(
  Texts,
  `must be a JSON array of at most ${countMax} texts of 1 to ${textMax} characters`,
).default('[]')

/** One Hub has rows with a bare address or an empty text in place of a list. */
const UrlList = listText(
  Urls,
  `must be a JSON array of at most ${countMax} http or https addresses, or one address`,
  text => (text.startsWith('[') ? parseJson(text) : text === '' ? [] : [text]),
).default('[]')

/** A number of tokens. 0: not known. */
const TokenCount = z.number().int().min(0).max(1_000_000_000).default(0)

export const NewModelInfo = z.object({
  /** The name that callers use. */
  model: z.string().trim().min(1).max(100),
  /** The name that people read. */
  name: z.string().trim().min(1).max(100),
  description: z.string().trim().max(5000).default(''),
  context_length: TokenCount,
  /** The most tokens of an answer. */
  max_tokens: TokenCount,
  input_modalities: TextList,
  output_modalities: TextList,
  tags: TextList,
  support_url: UrlList,
})
export type NewModelInfo = z.output<typeof NewModelInfo>
export const ModelInfoPatch = patchOf(NewModelInfo).extend({ id: z.number().int().positive() })

/** The last four texts are JSON arrays of texts. */
export const ModelInfo = z.object({
  id: z.number(),
  model: z.string(),
  name: z.string(),
  description: z.string(),
  context_length: z.number(),
  max_tokens: z.number(),
  created_at: Seconds,
  updated_at: Seconds,
  input_modalities: z.string(),
  output_modalities: z.string(),
  tags: z.string(),
  support_url: z.string(),
})
export type ModelInfo = z.output<typeof ModelInfo>

const ModelInfoList = z.object({
  infos: z.array(NewModelInfo),
  /** Entries that were left out, with the reason. */
  skipped: z.array(z.object({ model: z.string(), why: z.string() })),
})
export type ModelInfoList = z.output<typeof ModelInfoList>

export const modelInfo = resource('/api/model_info', {
  list: get('/', {
    access: 'public',
    input: NoInput,
    response: z.array(ModelInfo),
    summary: 'Descriptions of models, the newest first',
  }),
  get: get('/:id', {
    access: 'admin',
    input: Id,
    response: ModelInfo,
    summary: 'The description of one model',
  }),
  create: post('/', {
    access: 'admin',
    input: NewModelInfo,
    response: ModelInfo,
    summary: 'Describes a model',
  }),
  update: put('/', {
    access: 'admin',
    input: ModelInfoPatch,
    ignored: rowFields(ModelInfo, 'created_at', 'updated_at'),
    response: ModelInfo,
    summary: 'Changes the description of a model',
  }),
  remove: del('/:id', {
    access: 'admin',
    input: Id,
    response: NoData,
    summary: 'Deletes the description of a model; the model stays',
  }),
  read: post('/read', {
    access: 'admin',
    audit: false,
    input: ListSource,
    response: ModelInfoList,
    summary:
      'Reads the descriptions of a list `{data: [{model, model_info}]}`, from an address or as pasted; changes nothing',
  }),
})
