import type { FormatId } from '../dialect-id.ts'

/** The party whose object it is. */
export type ReferenceOwner =
  /** The user who stored the object through the gateway, such as a file. */
  | 'object'
  /** The user whose answer it is a part of: a response, one of its items, or its container. */
  | 'answer'
  /** Nobody can make it through the gateway, so that only the operator of the channel can share it. */
  | 'operator'

/** The form of the value. An object has its id in the field `id`. */
export type ReferenceShape = 'ids' | 'object' | 'ids-or-object'

export type ReferenceField = {
  names: readonly string[]
  owner: ReferenceOwner
  shape: ReferenceShape
  /** Absent: any format, because vendors pass on or ignore what they do not know. */
  formats?: readonly FormatId[]
  /** The vendor reads it in earlier messages and calls too. */
  inPast?: true
  /** The vendor's document. */
  source: string
}

/** Every field by which a request names something at the account of its vendor. */
export const referenceFields: readonly ReferenceField[] = [
  {
    names: ['file_id', 'file_ids', 'input_file_id'],
    owner: 'object',
    shape: 'ids',
    // By the same name in Anthropic's Files API: https://docs.claude.com/en/docs/build-with-claude/files
    source: 'https://developers.openai.com/api/docs/guides/pdf-files',
  },
  {
    names: ['vector_store_ids'],
    owner: 'object',
    shape: 'ids',
    source: 'https://developers.openai.com/api/docs/guides/tools-file-search',
  },
  {
    names: ['fileUri', 'file_uri'],
    owner: 'object',
    shape: 'ids',
    source: 'https://ai.google.dev/gemini-api/docs/files',
  },
  {
    names: ['cachedContent', 'cached_content'],
    owner: 'object',
    shape: 'ids',
    source: 'https://ai.google.dev/gemini-api/docs/caching',
  },
  {
    names: ['conversation'],
    owner: 'object',
    shape: 'ids-or-object',
    formats: ['openai-responses'],
    source: 'https://developers.openai.com/api/docs/guides/conversation-state',
  },
  {
    names: ['previous_response_id'],
    owner: 'answer',
    shape: 'ids',
    source: 'https://developers.openai.com/api/docs/guides/conversation-state',
  },
  {
    names: ['container'],
    owner: 'answer',
    shape: 'ids-or-object',
    formats: ['openai-responses', 'openai-chat', 'anthropic'],
    // The Messages API has it too: https://docs.claude.com/en/docs/agents-and-tools/tool-use/code-execution-tool
    source: 'https://developers.openai.com/api/docs/guides/tools-code-interpreter',
  },
  {
    names: ['container_id'],
    owner: 'answer',
    shape: 'ids',
    inPast: true,
    source: 'https://developers.openai.com/api/docs/guides/tools-shell',
  },
  {
    // The field of a request with the wanted voice and format has the same name and no id.
    names: ['audio'],
    owner: 'answer',
    shape: 'object',
    formats: ['openai-chat'],
    source: 'https://developers.openai.com/api/docs/guides/audio',
  },
  {
    names: ['prompt'],
    owner: 'operator',
    shape: 'object',
    // The second is the format of realtime sessions.
    formats: ['openai-responses', 'openai'],
    source: 'https://developers.openai.com/api/reference/resources/responses/methods/create',
  },
  {
    names: ['voice'],
    owner: 'operator',
    shape: 'object',
    source: 'https://developers.openai.com/api/docs/guides/text-to-speech',
  },
  {
    names: ['skill_id'],
    owner: 'operator',
    shape: 'ids',
    // At OpenAI: https://developers.openai.com/api/docs/guides/tools-skills
    source: 'https://docs.claude.com/en/api/skills-guide',
  },
  {
    names: ['fileSearchStoreNames', 'file_search_store_names'],
    owner: 'operator',
    shape: 'ids',
    source: 'https://ai.google.dev/gemini-api/docs/file-search',
  },
  {
    names: ['video_id', 'origin_task_id'],
    owner: 'operator',
    shape: 'ids',
    // Tasks only, whose earlier ones have ids of the gateway.
    formats: ['vendor'],
    source: 'https://app.klingai.com/global/dev/document-api/apiReference/model/videoDuration',
  },
  {
    names: ['library_ids'],
    owner: 'operator',
    shape: 'ids',
    source: 'https://docs.mistral.ai/agents/tools/built-in/document_library',
  },
  {
    names: ['knowledge_id'],
    owner: 'operator',
    shape: 'ids',
    source: 'https://docs.bigmodel.cn/cn/guide/tools/knowledge/retrieval',
  },
  {
    names: ['collection_ids'],
    owner: 'operator',
    shape: 'ids',
    source: 'https://docs.x.ai/docs/guides/using-collections',
  },
]

export type ReferenceItem = {
  type: string
  /** A field with the content of the item. With it the vendor does not look the item up. */
  content?: string
  /** The beginning of its id. Absent: any id counts. */
  prefix?: string
}

/** Items of the Responses API that stand for stored ones by their `id`. */
export const referenceItems: readonly ReferenceItem[] = [
  // https://developers.openai.com/api/reference/resources/responses/methods/create
  { type: 'item_reference' },
  // https://developers.openai.com/api/docs/guides/reasoning
  { type: 'reasoning', content: 'encrypted_content', prefix: 'rs_' },
  // https://developers.openai.com/api/docs/guides/image-generation
  { type: 'image_generation_call', content: 'result', prefix: 'ig_' },
]

/** Beginnings of names in a project of Google Cloud: https://docs.cloud.google.com/apis/design/resource_names */
export const resourceNames: Readonly<Partial<Record<FormatId, RegExp>>> = {
  gemini: /^projects\/[^/]+\/\w/,
}

/** The beginning of a text that names files: https://help.aliyun.com/zh/model-studio/long-context-qwen-long */
export const fileText = 'fileid:'

/** The ids of the files that the text of a message names, several with commas. Other texts name none. */
export const fileIdsIn = (text: string): string[] => {
  if (!/^\s*fileid:\/\//.test(text)) return []
  return [...text.matchAll(/fileid:\/\/([^\s,]+)/g)].map(([, id = '']) => id)
}

/** Skills of the vendors themselves: `{"type":"anthropic","skill_id":"pptx"}` and `openai-spreadsheets`. */
export const isVendorSkill = (skill: Readonly<Record<string, unknown>>): boolean =>
  skill.type === 'anthropic' || /^openai-[a-z-]+$/.test(String(skill.skill_id))
