import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { TaskOperation } from '@hub/contract/call-operations'
import {
  type Operation,
  type Provider,
  providers,
  type ResourceKind,
  type TaskApi,
} from '@hub/providers'
import { z } from 'zod'
import { root } from '../../harness/paths.ts'

const Fields = z.record(z.string(), z.unknown())

/** A body that is not JSON, as text or as bytes. */
const RawBody = z.strictObject({
  contentType: z.string(),
  text: z.string().optional(),
  base64: z.base64().optional(),
})

/**
 * One call of an operation as the vendor documents it: what our caller sends, what the vendor receives and answers, and
 * what our caller gets.
 */
const OperationFixture = z.strictObject({
  /** The provider whose bodies and charge these are, where the vendor promises its API. */
  as: z.string().optional(),
  /** The vendor's documents. */
  source: z.array(z.url()).min(1),
  /** Who wrote the bodies: the vendor, in an example, or we, after the fields that the document lists. */
  origin: z.enum(['example', 'fields']).optional(),
  /** Fields of the channel besides its key. */
  channel: Fields.optional(),
  /** Where the caller sends it. Absent: to the operation's usual address. */
  route: z.string().optional(),
  /** JSON of the caller. In a form, `@audio.mp3` is a file of that name. */
  request: Fields.optional(),
  form: z.record(z.string(), z.string()).optional(),
  /** Path and query at the vendor. */
  path: z.string(),
  /** Headers that the vendor receives, among others. */
  headers: z.record(z.string(), z.string()).optional(),
  /** Absent: the caller's body, with the model as it is mapped. A text is compared as it is. */
  sent: z.union([Fields, z.string()]).optional(),
  answer: z.union([z.strictObject({ json: z.unknown() }), RawBody]).optional(),
  /** Absent: the vendor's answer. */
  response: z.union([z.strictObject({ json: z.unknown() }), RawBody]).optional(),
  /** The charge by usage class. */
  usage: z.record(z.string(), z.number()).optional(),
  /** The test that proves an operation which is no single call, by its path in the repository. */
  test: z.string().optional(),
})
type OperationFixture = z.output<typeof OperationFixture>
/** A fixture with the bodies of the provider that it names. */
export type CompleteFixture = OperationFixture &
  Required<Pick<OperationFixture, 'origin' | 'answer' | 'usage'>>

const operationOfTaskApi: Partial<Record<TaskApi, TaskOperation>> = {
  video: 'videos',
  suno: 'music',
  midjourney: 'midjourney',
}

/** Kinds of stored objects that differ in the vendor's protocol only are one operation. */
export const storageOperations: Record<ResourceKind, string> = {
  files: 'files',
  uploads: 'uploads',
  batches: 'batches',
  'vector-stores': 'vector-stores',
  'cached-contents': 'cached-contents',
  conversations: 'conversations',
  'message-batches': 'batches',
  'gemini-files': 'files',
  'gemini-uploads': 'uploads',
}

/** The names of all that a provider serves: operations with their endpoints, tasks and kinds of stored objects. */
export const operationsOf = ({ serves, tasks, stores }: Provider) => [
  ...Object.entries(serves),
  ...[
    ...(tasks?.apis ?? []).flatMap(api => operationOfTaskApi[api] ?? []),
    ...Object.keys(stores?.paths ?? {}).map(kind => storageOperations[kind as ResourceKind]),
  ].map(operation => [operation, []] as const),
]

const namesOf = (provider: Provider): string[] => operationsOf(provider).map(([name]) => name)

export const isServed = (provider: Provider, operation: string): boolean =>
  namesOf(provider).includes(operation)

export const providerFolder = ({ id }: Provider): string => join('packages/providers/src', id)

export const fixturePath = (provider: Provider, operation: string): string =>
  join(providerFolder(provider), 'fixtures/operations', `${operation}.json`)

/** Undefined: no document shows this operation of the vendor, or it has a test of its own. */
export const readFixture = (
  provider: Provider,
  operation: Operation,
): CompleteFixture | undefined => {
  const own = read(fixturePath(provider, operation))
  if (!own || own.test) return undefined
  const model = providers.find(({ id }) => id === own.as)
  const bodies = model && read(fixturePath(model, operation))
  const { origin, answer, usage, ...rest } = { ...bodies, ...own }
  if (!origin || !answer || !usage)
    throw new Error(`${fixturePath(provider, operation)} is not whole`)
  return { ...rest, origin, answer, usage }
}

/** The documents that show an operation, and the file that tests it by them. Undefined: it is unproven. */
export const proofOf = (
  provider: Provider,
  operation: string,
): { sources: string[]; file: string } | undefined => {
  if (operation === 'chat') return chatProofOf(provider)
  const own = read(fixturePath(provider, operation))
  return own && { sources: own.source, file: own.test ?? fixturePath(provider, operation) }
}

const chatProofOf = (provider: Provider) => {
  const file = join(providerFolder(provider), 'fixtures/source.txt')
  const text = readFileSync(join(root, file), 'utf8')
  if (/^No example of the vendor/.test(text)) return undefined
  const sources = text.match(/https:\/\/[^\s,;]+[^\s,;.:)]/g) ?? []
  return { sources: [...new Set(sources)], file }
}

const read = (path: string): OperationFixture | undefined => {
  const file = join(root, path)
  return existsSync(file)
    ? OperationFixture.parse(JSON.parse(readFileSync(file, 'utf8')))
    : undefined
}

/** Fixture files of operations that the provider does not serve. */
export const strayFixtures = (): string[] =>
  providers.flatMap(provider => {
    const folder = join(root, providerFolder(provider), 'fixtures/operations')
    if (!existsSync(folder)) return []
    return readdirSync(folder)
      .filter(name => !isServed(provider, name.replace(/\.json$/, '')))
      .map(name => join(folder, name))
  })
