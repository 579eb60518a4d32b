import { isJsonObject } from '@hub/providers'
import type { App } from '../../../core/app.ts'
import type { TaskRow } from '../../../db/queries/tasks.ts'
import { openContent, statusWord, type TaskContent, visibleState } from '../../content.ts'
import { contentUrl } from '../video/present.ts'

/** A task as `/suno/fetch` shows it: https://xiaotian.apifox.cn/api-230451836 */
export const presentSuno = (app: App, origin: string, row: TaskRow) => {
  const state = visibleState(row)
  const isEnded = state !== 'queued' && state !== 'in_progress'
  const content = openContent(app, row)
  return {
    task_id: row.public_id,
    action: row.action,
    status: statusWord(row),
    fail_reason: isEnded ? row.fail_reason : '',
    submit_time: row.created_at,
    start_time: row.started_at,
    finish_time: isEnded ? row.finished_at : 0,
    progress: `${isEnded ? 100 : row.progress}%`,
    data: state === 'completed' ? resultOf(app, origin, row, content) : null,
  }
}

/** The fields of a song that hold the address of a file, and its kind. */
const fileFields: Readonly<Record<string, string>> = {
  audio_url: 'audio',
  video_url: 'video',
  image_url: 'image',
  image_large_url: 'image',
}

/** The provider's result, with addresses of this gateway and without the provider's account. */
const resultOf = (
  app: App,
  origin: string,
  row: TaskRow,
  { outputs, data }: TaskContent,
): unknown => {
  const addressOf = (workId: unknown, name: string): string => {
    const at = outputs.findIndex(
      ({ kind, work }) => kind === fileFields[name] && work?.id === workId,
    )
    return at < 0 ? '' : contentUrl(app, origin, row, at)
  }
  const withOwnAddresses = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(withOwnAddresses)
    if (typeof value === 'string' && /^https?:\/\//i.test(value)) return ''
    if (!isJsonObject(value)) return value
    return Object.fromEntries(
      Object.entries(value)
        .filter(([name]) => name !== 'user_id')
        .map(([name, each]) => [
          name,
          Object.hasOwn(fileFields, name) ? addressOf(value.id, name) : withOwnAddresses(each),
        ]),
    )
  }
  return withOwnAddresses(data.result)
}
