import type { Answer, VendorRequest } from './index.ts'
import { lyrics } from './texts.ts'

/**
 * Videos, songs and pictures. The vendor remembers nothing: the id of a task says when it was submitted, how many seconds
 * it takes, and how it ends, so that tasks survive a restart.
 */
type TaskOutcome = 'done' | 'failed' | 'stuck'
type TaskState = { id: string; progress: number; outcome: TaskOutcome | undefined }

const durations = { video: 95, song: 70, picture: 42 } as const

/** Prompts choose how a task ends: the demo needs tasks of every state. */
const outcomeOf = (prompt: string): TaskOutcome =>
  /\bcelebrity\b/i.test(prompt) ? 'failed' : /\bendless\b/i.test(prompt) ? 'stuck' : 'done'

let submitted = 0
const newId = (now: number, kind: keyof typeof durations, prompt: string): string => {
  submitted += 1
  return `${now}-${durations[kind]}-${outcomeOf(prompt)}-${submitted}`
}

const stateOf = (id: string, now: number): TaskState | undefined => {
  const [at, duration, outcome] = id.split('-')
  if (outcome !== 'done' && outcome !== 'failed' && outcome !== 'stuck') return undefined
  const share = (now - Number(at)) / Number(duration)
  if (outcome === 'stuck')
    return { id, progress: Math.min(72, Math.round(share * 100)), outcome: undefined }
  return {
    id,
    progress: Math.min(100, Math.round(share * 100)),
    outcome: share >= 1 ? outcome : undefined,
  }
}

const refused = 'The prompt names a person who did not agree to it.'

type Json = Record<string, unknown>
const json = (body: unknown, status = 200): Answer => ({ status, json: body })

/** The forms of the vendors are those that their adapters in `packages/providers` cite. */
const kling = ({ method, path, body, now, url }: VendorRequest): Answer => {
  const ok = (data: Json) => json({ code: 0, message: 'SUCCEED', request_id: 'demo', data })
  if (method === 'POST')
    return ok({ task_id: newId(now, 'video', String(body.prompt)), task_status: 'submitted' })
  const state = stateOf(path.split('/').at(-1) ?? '', now)
  if (!state) return json({ code: 1203, message: 'There is no such task.' }, 404)
  const status = { done: 'succeed', failed: 'failed', stuck: '' }[state.outcome ?? 'stuck']
  return ok({
    task_id: state.id,
    task_status: status || (state.progress < 10 ? 'submitted' : 'processing'),
    task_status_msg: state.outcome === 'failed' ? refused : '',
    ...(state.outcome === 'done' && {
      task_result: { videos: [{ id: 'v', url: `${url}/files/${state.id}.mp4`, duration: '5.0' }] },
    }),
  })
}

const words = { done: 'SUCCESS', failed: 'FAILURE', stuck: 'IN_PROGRESS' } as const

const songsOf = (id: string, url: string) =>
  ['a', 'b'].map(part => ({
    ...{
      id: `${id}-${part}`,
      title: 'Harbour lights',
      status: 'complete',
      model_name: 'chirp-v3-5',
    },
    metadata: { tags: 'calm folk, guitar', prompt: lyrics, duration: 8 },
    audio_url: `${url}/files/${id}-${part}.wav`,
    image_url: `${url}/files/${id}-${part}.png`,
  }))

const suno = ({ path, body, now, url }: VendorRequest): Answer => {
  const ok = (data: unknown) => json({ code: 'success', message: '', data })
  const prompt = String(body.gpt_description_prompt ?? body.prompt ?? '')
  if (path.endsWith('/music')) return ok(newId(now, 'song', prompt))
  if (path.endsWith('/lyrics')) return ok(`${newId(now, 'song', prompt)}-lyrics`)
  const ids = Array.isArray(body.ids) ? body.ids.map(String) : []
  return ok(
    ids.flatMap(id => {
      const state = stateOf(id, now)
      if (!state) return []
      const isLyrics = id.endsWith('-lyrics')
      const result = isLyrics
        ? { id, text: lyrics, title: 'Harbour lights', status: 'complete' }
        : songsOf(id, url)
      return {
        ...{ task_id: id, action: isLyrics ? 'LYRICS' : 'MUSIC', progress: `${state.progress}%` },
        status: words[state.outcome ?? 'stuck'],
        fail_reason: state.outcome === 'failed' ? refused : '',
        data: state.outcome === 'done' ? result : null,
      }
    }),
  )
}

const midjourney = ({ path, body, now, url }: VendorRequest): Answer => {
  if (!path.endsWith('/list-by-condition'))
    return json({ code: 1, description: 'ok', result: newId(now, 'picture', String(body.prompt)) })
  const ids = Array.isArray(body.ids) ? body.ids.map(String) : []
  return json(
    ids.flatMap(id => {
      const state = stateOf(id, now)
      if (!state) return []
      const imageUrl = state.outcome === 'done' ? `${url}/files/${id}.png` : null
      const failReason = state.outcome === 'failed' ? refused : null
      const status = words[state.outcome ?? 'stuck']
      return { id, action: 'IMAGINE', status, progress: `${state.progress}%`, imageUrl, failReason }
    }),
  )
}

/** Answers a request about a task; undefined: it is about something else. */
export const taskAnswer = (request: VendorRequest): Answer | undefined => {
  if (/\/v1\/videos\//.test(request.path)) return kling(request)
  if (/\/suno\//.test(request.path)) return suno(request)
  if (/\/mj\//.test(request.path)) return midjourney(request)
  return undefined
}
