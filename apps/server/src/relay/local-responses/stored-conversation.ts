import { Fault } from '@hub/contract'
import {
  inputItems,
  listedItem,
  type ParsedRequest,
  type ResponseItem,
  withEarlier,
  withoutCompacted,
  withoutTriggers,
} from '@hub/dialects'
import { type App, nowSeconds } from '../../core/app.ts'
import { appScoped } from '../../core/app-scoped.ts'
import * as localConversations from '../../db/queries/local-conversations.ts'
import type { AuthenticatedContext, Continuation } from '../context.ts'
import { reserveBytes, returnBytes } from '../request/body.ts'
import { newResponseId } from '../request/with-request.ts'
import { contentMin } from './content.ts'
import { reread } from './continuation.ts'
import { openObject, sealObject } from './sealed-object.ts'

/** A conversation that the gateway stores: https://developers.openai.com/api/reference/resources/conversations */
export type StoredConversation = {
  id: string
  object: 'conversation'
  created_at: number
  metadata: Readonly<Record<string, string>>
  items: readonly ResponseItem[]
}

const daySeconds = 86_400
/** Limits one conversation. Each change of it encrypts all of it. */
const sizeMax = 1024 * 1024
/** Limits all conversations of one user, who stores them free of charge. */
const userSizeMax = 32 * 1024 * 1024
/** Other nodes may change a conversation meanwhile. */
const triesMax = 10

/** The last work of each queue. */
const lastWork = appScoped(() => new Map<string, Promise<unknown>>())

/** Does the work of one queue on this node one after another, in the order of these calls. */
const inTurn = <T>(app: App, queue: string, work: () => Promise<T>): Promise<T> => {
  const last = lastWork(app)
  const done = (last.get(queue) ?? Promise.resolve()).then(work)
  const ended = done
    .catch(() => undefined)
    .then(() => {
      if (last.get(queue) === ended) last.delete(queue)
    })
  last.set(queue, ended)
  return done
}

const expiryIn = (app: App): number =>
  nowSeconds(app) + app.settings().responses.KeepResponsesDays * daySeconds

/** The content of a row. Throws `stored.full` where it is too large for one conversation. */
const sealed = (app: App, conversation: StoredConversation) => {
  const size = Buffer.byteLength(JSON.stringify(conversation))
  if (size > sizeMax)
    throw new Fault('stored.full', {
      hint: `A conversation has at most ${sizeMax / 1024 ** 2} MiB. Delete items of it, or begin another one.`,
    })
  return {
    object_sealed: sealObject(app, conversation),
    size: Math.max(size, contentMin),
    expires_at: expiryIn(app),
  }
}

export const addConversation = async (
  app: App,
  { id: request_id, caller: { userId } }: AuthenticatedContext,
  conversation: StoredConversation,
): Promise<void> => {
  const content = sealed(app, conversation)
  const { id, created_at } = conversation
  const row = { ...content, id, user_id: userId, request_id, created_at }
  await withinSpace(app, { userId, added: content.size }, () =>
    localConversations.add(app.callDb, row),
  )
}

/** Writes what adds these bytes. The writes of a user wait for each other, so that each counts those before it. */
const withinSpace = <T>(
  app: App,
  { userId, added }: { userId: number; added: number },
  write: () => Promise<T>,
): Promise<T> => {
  if (added <= 0) return write()
  return inTurn(app, `user ${userId}`, async () => {
    if ((await localConversations.bytesOf(app.callDb, userId)) + added <= userSizeMax)
      return write()
    throw new Fault('stored.full', {
      hint: `The limit of all conversations is ${userSizeMax / 1024 ** 2} MiB.`,
    })
  })
}

/** Reads a conversation of the caller. Undefined: the gateway stores none of this id for it. */
export const readStoredConversation = async (
  app: App,
  { caller: { userId }, body }: AuthenticatedContext,
  id: string,
): Promise<StoredConversation | undefined> => {
  const criteria = { userId, id, now: nowSeconds(app) }
  const row = await localConversations.find(app.callDb, criteria)
  if (!row) return undefined
  reserveBytes(app, body, row.size)
  return openObject(app, row) as StoredConversation
}

type ConversationChange = (conversation: StoredConversation) => StoredConversation

/** Changes a conversation once its earlier changes have ended. Undefined: there is none any more. */
export const changeConversation = (
  app: App,
  { caller: { userId } }: AuthenticatedContext,
  id: string,
  change: ConversationChange,
): Promise<StoredConversation | undefined> =>
  inTurn(app, `conversation ${id}`, async () => {
    for (let tries = 0; tries < triesMax; tries += 1) {
      const criteria = { userId, id, now: nowSeconds(app) }
      const row = await localConversations.find(app.callDb, criteria)
      if (!row) return undefined
      const changed = await tryChange(app, row, change)
      if (changed) return changed
    }
    throw new Fault('server.busy', { retryAfterSeconds: 1 })
  })

/** Resolves with undefined where the row was changed since it was read. */
const tryChange = async (
  app: App,
  row: localConversations.LocalConversationRow,
  change: ConversationChange,
): Promise<StoredConversation | undefined> => {
  const taken = { bytes: 0 }
  try {
    reserveBytes(app, taken, row.size)
    const changed = change(openObject(app, row) as StoredConversation)
    const content = sealed(app, changed)
    const space = { userId: row.user_id, added: content.size - row.size }
    const isReplaced = await withinSpace(app, space, () =>
      localConversations.replace(app.callDb, row, content),
    )
    return isReplaced ? changed : undefined
  } finally {
    returnBytes(app, taken)
  }
}

/** Adds items with ids that are unique in the conversation. Returns it, and the items as they are stored. */
export const withItems = (
  app: App,
  conversation: StoredConversation,
  added: readonly ResponseItem[],
): { conversation: StoredConversation; items: ResponseItem[] } => {
  const known = new Set(conversation.items.map(each => each.id))
  const seed = newResponseId(app)
  const items = added.map((item, index) => {
    const isNew = typeof item.id === 'string' && !known.has(item.id)
    const listed = listedItem(isNew ? item : { ...item, id: undefined }, seed, index)
    known.add(listed.id)
    return listed
  })
  return { conversation: { ...conversation, items: [...conversation.items, ...items] }, items }
}

/**
 * Expands a call of a conversation to its items, from the last summary on. The added bytes count as if the caller had
 * sent them.
 */
export const continueConversation = (
  context: AuthenticatedContext,
  { parsed, conversation }: { parsed: ParsedRequest; conversation: StoredConversation },
): Continuation & { parsed: ParsedRequest } => {
  const input = inputItems(parsed)
  if (!input) throw new Fault('request.invalid', { hint: "'input' must be a text or a list." })
  const expanded = withEarlier(parsed, withoutCompacted(conversation.items), input)
  return {
    ...{ previous: undefined, conversation: conversation.id, input },
    parsed: reread(context.dialect, parsed, expanded),
  }
}

/** Appends the turn of a call to its conversation. Resolves with the reason why it could not; undefined once it did. */
export const appendTurn = async (
  app: App,
  context: AuthenticatedContext,
  id: string,
  items: readonly ResponseItem[],
): Promise<string | undefined> => {
  try {
    const append: ConversationChange = conversation =>
      withItems(app, conversation, withoutTriggers(items)).conversation
    const changed = await changeConversation(app, context, id, append)
    return changed ? undefined : 'deleted meanwhile'
  } catch (error) {
    app.log.warn({ err: error, request: context.id }, 'a turn was not added to its conversation')
    return error instanceof Fault && error.code === 'stored.full' ? 'full' : 'not written'
  }
}
