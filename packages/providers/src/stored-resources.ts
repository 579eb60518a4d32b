import { z } from 'zod'

/** The kinds of things that a vendor stores for an account, with a collection address each. */
export type ResourceKind =
  | 'files'
  | 'uploads'
  | 'batches'
  | 'vector-stores'
  | 'conversations'
  | 'message-batches'
  | 'gemini-files'
  | 'gemini-uploads'
  | 'cached-contents'

/** The vendor whose routes and objects these are like. */
export type ResourceApi = 'openai' | 'anthropic' | 'gemini'

const enable = (label: string) => z.boolean().default(false).meta({ label })

/**
 * The switches of a channel whose account may store things. Both are off by default, because everything lies in one
 * account, whose owner pays for its storage and sees it.
 */
export const storageSwitches = {
  storage: z
    .object({
      files: enable('Files and batches'),
      vector_stores: enable('Vector stores'),
    })
    .optional(),
}

/** As `storageSwitches`, for a vendor that also stores conversations. */
export const conversationSwitches = {
  storage: z
    .object({
      files: enable('Files and batches'),
      vector_stores: enable('Vector stores'),
      conversations: enable('Conversations'),
    })
    .optional(),
}

/** As `storageSwitches`, for a vendor without vector stores. */
export const fileSwitches = {
  storage: z.object({ files: enable('Files and batches') }).optional(),
}

/** As `fileSwitches`, for a vendor that also stores prompts. */
export const cacheSwitches = {
  storage: z.object({ files: enable('Files'), caches: enable('Cached prompts') }).optional(),
}

type Options = Readonly<Record<string, Readonly<Record<string, unknown>>>>

type KindFields = {
  /** The switch of a channel that allows callers to store it. */
  switch: 'files' | 'vector_stores' | 'conversations' | 'caches'
  /** Its bytes become part of a prompt that names it. */
  isFile?: true
  /** It has an end. That of a batch is the end of its time to run. */
  expires?: true
  /** The collection in the name of an object, which is its id: `files/abc`. */
  namePrefix?: string
}

const kinds: Readonly<Record<ResourceKind, KindFields>> = {
  files: { switch: 'files', isFile: true, expires: true },
  uploads: { switch: 'files', expires: true },
  batches: { switch: 'files' },
  'vector-stores': { switch: 'vector_stores' },
  conversations: { switch: 'conversations' },
  'message-batches': { switch: 'files' },
  'gemini-files': { switch: 'files', isFile: true, expires: true, namePrefix: 'files/' },
  'gemini-uploads': { switch: 'files' },
  'cached-contents': { switch: 'caches', expires: true, namePrefix: 'cachedContents/' },
}

/** Returns the special features of a kind; the name of one may come from a row of an earlier release. */
export const resourceKind = (kind: string): Partial<KindFields> => kinds[kind as ResourceKind] ?? {}

/** Whether the operator of a channel allows callers to store this kind of thing in its account. */
export const allowsStorage = ({ storage }: Options, kind: ResourceKind): boolean =>
  storage?.[kinds[kind].switch] === true

/** The option of a channel that `allowsStorage` reads, as the form and the API name it. */
export const storageSwitchOf = (kind: ResourceKind): string => `storage.${kinds[kind].switch}`
