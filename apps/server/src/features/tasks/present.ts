import type { Task, TaskResult } from '@hub/contract'
import type { TaskOutput } from '@hub/providers'
import type { App } from '../../core/app.ts'
import type { ListedTask } from '../../db/queries/task-pages.ts'
import type { Channel } from '../../relay/channels/channel.ts'
import { isCancellable } from '../../tasks/cancel.ts'
import { openContent, statusWord } from '../../tasks/content.ts'
import { linkQuery } from '../../tasks/output.ts'

const billingOf = ({ settlement }: ListedTask): Task['billing'] =>
  settlement === 'charged' || settlement === 'released' ? settlement : 'held'

const callbackOf = ({ callback_sealed, callback_state }: ListedTask): Task['callback'] => {
  if (callback_state === 'delivered' || callback_state === 'given_up') return callback_state
  return callback_sealed === null || callback_state === null ? 'none' : 'waiting'
}

/** A task as administrators see it in a list. */
export const presentTask = (
  app: App,
  row: ListedTask,
  channels: ReadonlyMap<number, Channel>,
): Omit<Task, 'prompt'> => {
  const status = statusWord(row)
  const isEnded = status === 'SUCCESS' || status === 'FAILURE'
  return {
    id: row.id,
    task_id: row.public_id,
    platform: row.platform,
    action: row.action,
    model: row.model,
    user_id: row.user_id,
    username: row.username ?? '',
    token_id: row.token_id,
    channel_id: row.channel_id,
    channel: row.channel_name === null ? null : { id: row.channel_id, name: row.channel_name },
    status,
    progress: isEnded ? 100 : row.progress,
    fail_reason: isEnded ? row.fail_reason : '',
    orphan: row.orphan === 1,
    quota: row.quota,
    billing: billingOf(row),
    submit_time: row.created_at,
    start_time: row.started_at,
    finish_time: isEnded ? row.finished_at : 0,
    deleted: row.deleted_at !== null,
    can_cancel: isCancellable(row, channels.get(row.channel_id)),
    callback: callbackOf(row),
    callback_failure: row.callback_failure ?? '',
    results: status === 'SUCCESS' && row.deleted_at === null ? resultsOf(app, row) : [],
  }
}

/** Outputs of one work stand together, under its title. */
const resultsOf = (app: App, row: ListedTask): TaskResult[] => {
  const outputs = openContent(app, row).outputs.map((output, at) => ({ ...output, at }))
  const works = Map.groupBy(outputs, ({ work, at }) => work?.id ?? at)
  return [...works.values()].map(([first, ...more]) => ({
    ...{ title: '', tags: '', text: '' },
    ...wordsOf(first!.work),
    files: [first!, ...more]
      .filter(each => each.kind !== 'text')
      .map(({ kind, at }) => ({
        kind,
        url: `/v1/videos/${row.public_id}/content?${linkQuery(app, row, at)}`,
      })),
  }))
}

const wordsOf = (work: TaskOutput['work']) =>
  work && { title: work.title, tags: work.tags, text: work.text }
