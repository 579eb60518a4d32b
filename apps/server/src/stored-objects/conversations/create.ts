import { randomBytes } from 'node:crypto'
import { type App, nowSeconds } from '../../core/app.ts'
import type { AuthenticatedContext } from '../../relay/context.ts'
import {
  addConversation,
  type StoredConversation,
  withItems,
} from '../../relay/local-responses/stored-conversation.ts'
import { writeJson } from '../../relay/response/write.ts'
import { hasAccount } from '../choose-account.ts'
import { createObject, refuseBeyondLimits } from '../create.ts'
import type { ResourceHandler } from '../resource-route.ts'
import { present } from './present.ts'
import { readFields } from './read-fields.ts'

/**
 * Creates a conversation at a vendor whose channel stores them, or else in the gateway, where the setting for responses
 * is on.
 */
export const createConversation: ResourceHandler = async (app, context, call, admission) => {
  const { api, kind } = call.route
  const isLocal =
    app.settings().responses.KeepResponsesEnabled &&
    !(await hasAccount(app, context, { api, kind }))
  if (!isLocal) return createObject(app, context, call, admission)
  await createLocal(app, context)
}

const createLocal = async (app: App, context: AuthenticatedContext): Promise<void> => {
  await refuseBeyondLimits(app, context)
  const { metadata = {}, items = [] } = await readFields(app, context, ['metadata', 'items'])
  const empty: StoredConversation = {
    id: `conv_${randomBytes(24).toString('hex')}`,
    object: 'conversation',
    created_at: nowSeconds(app),
    ...{ metadata, items: [] },
  }
  const { conversation } = withItems(app, empty, items)
  await addConversation(app, context, conversation)
  writeJson(context, present(conversation))
}
