import { isJsonObject, type JsonObject, textOf } from '../tasks.ts'

// Paths, fields and ids: https://github.com/novicezk/midjourney-proxy/blob/main/docs/api.md and
// https://github.com/trueai-org/midjourney-proxy/blob/main/src/Midjourney.API/Controllers/SubmitController.cs

/** The actions of a request to Midjourney's proxy. */
export type MidjourneyAction = {
  /** As the proxy names it, such as `IMAGINE`; the price is found by it. */
  action: string
  /** The task that it continues; empty for a new one. */
  taskId: string
  /** The task need not have succeeded. */
  acceptsUnfinished: boolean
}

type ReadAction = MidjourneyAction | { invalid: string }

/** Actions by path, with the fields that each needs. */
const newTasks: Readonly<Record<string, { action: string; needs: readonly string[] }>> = {
  'submit/imagine': { action: 'IMAGINE', needs: ['prompt'] },
  'submit/describe': { action: 'DESCRIBE', needs: [] },
  'submit/blend': { action: 'BLEND', needs: ['base64Array'] },
  'submit/shorten': { action: 'SHORTEN', needs: ['prompt'] },
  'submit/edits': { action: 'EDITS', needs: ['prompt'] },
  'submit/upload-discord-images': { action: 'UPLOAD', needs: ['base64Array'] },
  'insight-face/swap': { action: 'SWAP_FACE', needs: ['sourceBase64', 'targetBase64'] },
}

const changes = new Set(['UPSCALE', 'VARIATION', 'REROLL'])
const simpleChanges = { u: 'UPSCALE', v: 'VARIATION', r: 'REROLL' } as const

/** The action of a button, by the part of its id that names it; the first match counts. */
const buttons: readonly (readonly [pattern: RegExp, action: string])[] = [
  [/upsample/, 'UPSCALE'],
  [/^variation$/, 'VARIATION'],
  [/low_variation/, 'LOW_VARIATION'],
  [/high_variation/, 'HIGH_VARIATION'],
  [/pan/, 'PAN'],
  [/reroll/, 'REROLL'],
  [/^Outpaint$/, 'ZOOM'],
  [/^CustomZoom$/, 'CUSTOM_ZOOM'],
  [/^Inpaint$/, 'INPAINT'],
  [/^Picread$/, 'DESCRIBE'],
  [/^animate/, 'VIDEO'],
]

const missing = (field: string) => ({ invalid: `'${field}' is missing.` })

const isGiven = (value: unknown): boolean =>
  Array.isArray(value) ? value.length > 0 : textOf(value).trim() !== ''

const follow = (action: string, taskId: string, acceptsUnfinished = false): ReadAction =>
  taskId === '' ? missing('taskId') : { action, taskId, acceptsUnfinished }

/** `MJ::JOB::upsample::2::<hash>` or `MJ::Inpaint::1::<hash>::SOLO`. */
const readButton = (customId: string, taskId: string): ReadAction => {
  const [, kind = '', name = ''] = customId.split('::')
  const word = kind === 'JOB' ? name : kind
  const action = buttons.find(([pattern]) => pattern.test(word))?.[1]
  return action ? follow(action, taskId) : { invalid: "'customId' is unknown." }
}

/** `<task id> U1` to `U4`, `V1` to `V4`, or `R`. */
const simpleChange = /^\s*(\S+)\s+(?:([uv])[1-4]|(r))\s*$/i

const readSimpleChange = (content: string): ReadAction => {
  const [, taskId = '', command, reroll] = simpleChange.exec(content) ?? []
  const name = (command ?? reroll ?? '').toLowerCase()
  if (!(name in simpleChanges)) return { invalid: "'content' must be like '1320098173412546 U2'." }
  return follow(simpleChanges[name as keyof typeof simpleChanges], taskId)
}

const readChange = (body: JsonObject, taskId: string): ReadAction => {
  const action = textOf(body.action).toUpperCase()
  if (!changes.has(action)) return { invalid: "'action' must be UPSCALE, VARIATION or REROLL." }
  const index = Number(body.index)
  if (action !== 'REROLL' && !(Number.isInteger(index) && index >= 1 && index <= 4))
    return { invalid: "'index' must be a number from 1 to 4." }
  return follow(action, taskId)
}

/** Reads the action of a request. Undefined: the proxy has no such path. */
export const readMidjourneyAction = (path: string, body: JsonObject): ReadAction | undefined => {
  const taskId = textOf(body.taskId).trim()
  const created = Object.hasOwn(newTasks, path) ? newTasks[path] : undefined
  if (created) {
    const absent = created.needs.find(each => !isGiven(body[each]))
    if (absent !== undefined) return missing(absent)
    if (path === 'submit/describe' && !isGiven(body.base64) && !isGiven(body.link))
      return missing('base64')
    return { action: created.action, taskId: '', acceptsUnfinished: false }
  }
  switch (path) {
    case 'submit/change':
      return readChange(body, taskId)
    case 'submit/simple-change':
      return readSimpleChange(textOf(body.content))
    case 'submit/action':
      return readButton(textOf(body.customId), taskId)
    case 'submit/modal':
      return follow('MODAL', taskId, true)
    case 'submit/video':
      return { action: 'VIDEO', taskId, acceptsUnfinished: false }
  }
  return undefined
}

const modes = ['fast', 'turbo', 'relax'] as const

/** The speed of a task, which is part of its price. */
export type MidjourneyMode = (typeof modes)[number]

/** Reads a mode as `fast`, `mj-fast` or `FAST`. */
export const readMidjourneyMode = (text: string): MidjourneyMode | undefined =>
  modes.find(each => each === text.toLowerCase().replace(/^mj-/, ''))

/** The mode of a request to the proxy. */
export const modeOf = ({ accountFilter }: JsonObject): MidjourneyMode => {
  const list = isJsonObject(accountFilter) ? accountFilter.modes : undefined
  return readMidjourneyMode(textOf(Array.isArray(list) ? list[0] : undefined)) ?? 'fast'
}

/** The names under which channels list an action and prices are kept: One Hub's, and New API's where it differs. */
export const midjourneyModels = (action: string, mode: MidjourneyMode): readonly string[] => {
  const speed = mode === 'fast' ? '' : `${mode}_`
  const name = action.toLowerCase()
  return action === 'SWAP_FACE' && mode === 'fast' ? [`mj_${name}`, name] : [`mj_${speed}${name}`]
}
