import type { MidjourneyTask } from '@hub/contract'
import { isJsonObject, type JsonObject, type TaskOutput, textOf } from '@hub/providers'
import type { App } from '../../../core/app.ts'
import type { TaskRow } from '../../../db/queries/tasks.ts'
import { openContent, type TaskContent, visibleState } from '../../content.ts'
import { linkQuery } from '../../output.ts'

/** Windows in which the caller chooses more; their clients need the code that says so. */
const windows = new Set(['INPAINT', 'CUSTOM_ZOOM'])
const accepted = 1
const exists = 21

/** The answer to a submission, with the id of the gateway. Accepted and queued are one code, as clients expect. */
export const presentSubmitted = (app: App, row: TaskRow) => {
  const { data } = openContent(app, row)
  const isWindow = data.code === exists && windows.has(row.action)
  return {
    code: isWindow ? exists : accepted,
    description: textOf(data.description) || 'Submit success',
    result: Array.isArray(data.result) ? data.result : row.public_id,
    properties: withoutAddresses(isJsonObject(data.properties) ? data.properties : {}),
  }
}

/** Leaves out the vendor's addresses and the name of its account. */
export const withoutAddresses = (properties: JsonObject): JsonObject =>
  Object.fromEntries(
    Object.entries(properties).filter(
      ([name, value]) =>
        name !== 'discordInstanceId' && !/^https?:\/\//.test(String(value)) && !isJsonObject(value),
    ),
  )

type ShownStatus = { status: MidjourneyTask['status']; progress: string }

/** The words and percentages of Midjourney's proxies: https://github.com/novicezk/midjourney-proxy/blob/main/docs/api.md */
export const statusOf = (row: TaskRow, { data }: Pick<TaskContent, 'data'>): ShownStatus => {
  const word = textOf(data.status).toUpperCase()
  switch (visibleState(row)) {
    case 'queued':
      return { status: row.state === 'submitting' ? 'NOT_START' : 'SUBMITTED', progress: '0%' }
    case 'in_progress': {
      const status = word === 'MODAL' ? 'MODAL' : 'IN_PROGRESS'
      return { status, progress: `${Math.min(row.progress, 99)}%` }
    }
    case 'completed':
      return { status: 'SUCCESS', progress: '100%' }
    default:
      return { status: 'FAILURE', progress: '100%' }
  }
}

const buttonFields = ['customId', 'emoji', 'label', 'type', 'style']

const buttonsOf = ({ buttons }: JsonObject): JsonObject[] =>
  (Array.isArray(buttons) ? buttons : [])
    .filter(isJsonObject)
    .map(each => Object.fromEntries(buttonFields.map(name => [name, each[name] ?? ''])))

type Addresses = { image: string; videos: string[] }

/** The signed address of an output at the gateway, without its origin. */
export const outputAddress = (app: App, row: TaskRow, at: number): string =>
  `/mj/image/${row.public_id}?${linkQuery(app, row, at)}`

/** Addresses of the outputs. The image is shown while the task runs, too. */
export const addressesOf = (
  row: TaskRow,
  { outputs }: Pick<TaskContent, 'outputs'>,
  addressOf: (output: TaskOutput, at: number) => string,
): Addresses => {
  const state = visibleState(row)
  const isShown = (kind: string) =>
    state === 'completed' || (kind === 'image' && row.settlement === 'held')
  const addresses = (kind: string) =>
    outputs.flatMap((each, at) =>
      each.kind === kind && isShown(kind) ? [addressOf(each, at)] : [],
    )
  return { image: addresses('image')[0] ?? '', videos: addresses('video') }
}

const milliseconds = 1_000

/** A task as the proxies show it, with the ids and addresses of the gateway. */
export const presentTask = (app: App, origin: string, row: TaskRow) => {
  const content = openContent(app, row)
  const { data, request, prompt } = content
  const { status, progress } = statusOf(row, content)
  const isForwarded = app.settings().midjourney.MjForwardUrlEnabled
  const { image, videos } = addressesOf(row, content, ({ url }, at) =>
    isForwarded ? origin + outputAddress(app, row, at) : url,
  )
  const videoUrls = videos.map(url => ({ url }))
  const { finalPrompt, finalZhPrompt } = isJsonObject(data.properties) ? data.properties : {}
  return {
    id: row.public_id,
    action: row.action,
    customId: textOf(request.customId),
    botType: textOf(request.botType),
    prompt,
    promptEn: textOf(data.promptEn),
    description: textOf(data.description).replaceAll(row.upstream_id || '\0', row.public_id),
    state: textOf(request.state),
    submitTime: row.created_at * milliseconds,
    startTime: row.started_at * milliseconds,
    finishTime: /SUCCESS|FAILURE/.test(status) ? row.finished_at * milliseconds : 0,
    imageUrl: image,
    videoUrl: videoUrls[0]?.url ?? '',
    videoUrls,
    status,
    progress,
    failReason: row.fail_reason,
    buttons: buttonsOf(data),
    maskBase64: '',
    properties: { finalPrompt: textOf(finalPrompt), finalZhPrompt: textOf(finalZhPrompt) },
  }
}
