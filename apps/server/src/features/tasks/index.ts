import { contract, Fault } from '@hub/contract'
import type { App } from '../../core/app.ts'
import { mapPage, required } from '../../core/crud.ts'
import { implement } from '../../core/implement.ts'
import type { Paging } from '../../db/queries/paging.ts'
import * as callbacks from '../../db/queries/task-callbacks.ts'
import { listPage, type TaskFilter } from '../../db/queries/task-pages.ts'
import { find } from '../../db/queries/tasks.ts'
import { channelIndex } from '../../relay/routing/channel-index.ts'
import { callbackSecret } from '../../tasks/callbacks/sign.ts'
import { cancelTask } from '../../tasks/cancel.ts'
import { openContent } from '../../tasks/content.ts'
import { presentTask } from './present.ts'

const adminRole = 10

const listTasks = async (app: App, { page, size, order, ...filter }: TaskFilter & Paging) => {
  const { byId } = await channelIndex(app).get()
  return mapPage(listPage(app.db, filter, { page, size, order }), row => ({
    ...presentTask(app, row, byId),
    // Administrators read the words of others only when they open the raw task.
    prompt: filter.ownerId === undefined ? '' : openContent(app, row).prompt,
  }))
}

const secretOf = async (app: App, userId: number): Promise<string> =>
  callbackSecret(app, userId, await callbacks.findSecretVersion(app.db, userId))

export const tasks = implement(contract.tasks, {
  list: (app, _caller, input) => listTasks(app, input),
  self: async (app, { userId }, input) => {
    const { data, ...page } = await listTasks(app, { ...input, ownerId: userId })
    // Users must not see which channel served them.
    const hidden = { channel_id: 0, channel: null, orphan: false }
    return { ...page, data: data.map(each => ({ ...each, ...hidden })) }
  },
  raw: async (app, _caller, { id }) => {
    const row = required(await find(app.db, id))
    const { prompt, request, data } = openContent(app, row)
    return { upstream_id: row.upstream_id, prompt, request, data }
  },
  callbackSecret: (app, { userId }) => secretOf(app, userId),
  renewCallbackSecret: async (app, { userId }) => {
    await callbacks.renewSecret(app.db, userId)
    return secretOf(app, userId)
  },
  cancel: async (app, { userId, role }, { id }) => {
    const row = required(await find(app.db, id))
    if (row.user_id !== userId && role < adminRole) throw new Fault('resource.missing')
    await cancelTask(app, row)
    return null
  },
})
