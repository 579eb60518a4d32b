import type { MidjourneyTask } from '@hub/contract'
import { textOf } from '@hub/providers'
import type { App } from '../../core/app.ts'
import type { ListedTask } from '../../db/queries/task-pages.ts'
import { openContent } from '../../tasks/content.ts'
import { addressesOf, outputAddress, statusOf } from '../../tasks/formats/midjourney/present.ts'

const billingOf = ({ settlement }: ListedTask): MidjourneyTask['billing'] =>
  settlement === 'charged' || settlement === 'released' ? settlement : 'held'

/** A task as its owner sees it in a list, with its channel. */
export const presentRow = (app: App, row: ListedTask): MidjourneyTask => {
  const content = openContent(app, row)
  const { status, progress } = statusOf(row, content)
  const isEnded = status === 'SUCCESS' || status === 'FAILURE'
  const { image, videos } = addressesOf(row, content, (_output, at) => outputAddress(app, row, at))
  return {
    id: row.id,
    mj_id: row.public_id,
    action: row.action,
    mode: textOf(content.state.mode) || 'fast',
    model: row.model,
    user_id: row.user_id,
    username: row.username ?? '',
    token_id: row.token_id,
    channel_id: row.channel_id,
    channel: row.channel_name === null ? null : { id: row.channel_id, name: row.channel_name },
    status,
    progress,
    image_url: image,
    video_urls: videos,
    prompt: content.prompt,
    prompt_en: textOf(content.data.promptEn),
    fail_reason: isEnded ? row.fail_reason : '',
    quota: row.quota,
    billing: billingOf(row),
    submit_time: row.created_at,
    start_time: row.started_at,
    finish_time: isEnded ? row.finished_at : 0,
  }
}
