import { Fault } from '@hub/contract'
import { listItems } from '@hub/dialects'
import type { App } from '../../core/app.ts'
import { isLocalConversation } from '../../db/queries/local-conversations.ts'
import * as storedResources from '../../db/queries/stored-resources.ts'
import type { AuthenticatedContext } from '../../relay/context.ts'
import {
  changeConversation,
  readStoredConversation,
  type StoredConversation,
  withItems,
} from '../../relay/local-responses/stored-conversation.ts'
import { writeJson } from '../../relay/response/write.ts'
import { forwardRequest, removeObject } from '../forward.ts'
import { requireOwned } from '../records.ts'
import type { ResourceHandler } from '../resource-route.ts'
import { pageOf } from '../responses/serve-local.ts'
import { present } from './present.ts'
import { readFields } from './read-fields.ts'

/** Serves a conversation to its owner: from the gateway's own store, or from the account that stores it. */
export const serveConversation: ResourceHandler = async (app, context, call, admission) => {
  const { id, pathSuffix } = call
  const row = await requireOwned(app, context, 'conversations', id)
  const isRemoval = context.request.method === 'DELETE' && pathSuffix === `/${id}`
  if (!isLocalConversation(row))
    return (isRemoval ? removeObject : forwardRequest)(app, context, call, admission)
  const [, , below, itemId, ...more] = pathSuffix.split('/')
  if ((below !== undefined && below !== 'items') || more.length > 0)
    throw new Fault('route.unknown')
  writeJson(context, await answerTo(app, context, { id, isItems: below === 'items', itemId }))
}

type ConversationPath = { id: string; isItems: boolean; itemId: string | undefined }

const answerTo = (
  app: App,
  context: AuthenticatedContext,
  named: ConversationPath,
): Promise<object> => {
  const { method = '' } = context.request
  const { isItems, itemId } = named
  const level = itemId === undefined ? (isItems ? 'items' : 'conversation') : 'item'
  const work = operations[`${method} ${level}`]
  if (!work) throw new Fault('route.unknown')
  return work(app, context, named)
}

const unknown = (id: string) => new Fault('stored.unknown', { hint: `Id: ${id.slice(0, 100)}.` })

const read = async (
  app: App,
  context: AuthenticatedContext,
  id: string,
): Promise<StoredConversation> => {
  const conversation = await readStoredConversation(app, context, id)
  if (!conversation) throw unknown(id)
  return conversation
}

const change = async (
  app: App,
  context: AuthenticatedContext,
  id: string,
  apply: (conversation: StoredConversation) => StoredConversation,
): Promise<StoredConversation> => {
  const changed = await changeConversation(app, context, id, apply)
  if (!changed) throw unknown(id)
  return changed
}

type ConversationWork = (
  app: App,
  context: AuthenticatedContext,
  named: ConversationPath,
) => Promise<object>

const operations: Readonly<Record<string, ConversationWork>> = {
  'GET conversation': async (app, context, { id }) => present(await read(app, context, id)),
  'POST conversation': async (app, context, { id }) => {
    const { metadata = {} } = await readFields(app, context, ['metadata'])
    return present(await change(app, context, id, each => ({ ...each, metadata })))
  },
  'DELETE conversation': async (app, _context, { id }) => {
    await storedResources.remove(app.callDb, id)
    return { id, object: 'conversation.deleted', deleted: true }
  },
  'GET items': async (app, context, { id }) => {
    const page = pageOf(new URLSearchParams(context.query))
    return listItems((await read(app, context, id)).items, page)
  },
  'POST items': async (app, context, { id }) => {
    const { items = [] } = await readFields(app, context, ['items'])
    if (items.length === 0) throw new Fault('request.invalid', { hint: "'items' must have some." })
    let added = items
    await change(app, context, id, each => {
      const next = withItems(app, each, items)
      added = next.items
      return next.conversation
    })
    return listItems(added, {
      limit: added.length,
      order: 'asc',
      after: undefined,
      before: undefined,
    })
  },
  'GET item': async (app, context, { id, itemId }) => {
    const item = (await read(app, context, id)).items.find(each => each.id === itemId)
    if (!item) throw unknown(itemId ?? '')
    return item
  },
  'DELETE item': async (app, context, { id, itemId }) => {
    const changed = await change(app, context, id, each => {
      const items = each.items.filter(item => item.id !== itemId)
      if (items.length === each.items.length) throw unknown(itemId ?? '')
      return { ...each, items }
    })
    return present(changed)
  },
}
