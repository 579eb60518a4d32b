import type { JsonObject, PolledTask, TaskOutput } from '@hub/providers'
import type { App } from '../core/app.ts'
import type { TaskRow } from '../db/queries/tasks.ts'

/** The parts of a task that may hold a caller's words or a vendor's addresses, stored encrypted. */
export type TaskContent = {
  prompt: string
  /** The model's name at the vendor. */
  upstreamModel: string
  /** The fields of the request that its answers repeat. */
  request: JsonObject
  /** The vendor adapter's data for polling. */
  state: JsonObject
  outputs: readonly TaskOutput[]
  /** The task as the vendor last showed it. */
  data: JsonObject
}

const contextOf = (id: number) => `tasks.content_sealed:${id}`

export const sealContent = (app: App, id: number, content: TaskContent): string =>
  app.seal.seal('stored-object', contextOf(id), JSON.stringify(content))

export const openContent = (
  app: App,
  { id, content_sealed }: Pick<TaskRow, 'id' | 'content_sealed'>,
): TaskContent =>
  JSON.parse(app.seal.open('stored-object', contextOf(id), content_sealed)) as TaskContent

/** The task as its vendor's adapter sees it. */
export const polledTask = (
  { upstream_id, action }: TaskRow,
  { upstreamModel, state }: TaskContent,
): PolledTask => ({ upstreamId: upstream_id, action, model: upstreamModel, state })

/** The state that callers see: an end is visible only after its charge or release is durable. */
export const visibleState = ({
  state,
  settlement,
}: Pick<TaskRow, 'state' | 'settlement'>):
  | 'queued'
  | 'in_progress'
  | 'completed'
  | 'failed'
  | 'expired' => {
  if (settlement === 'charging' || settlement === 'releasing') return 'in_progress'
  return state === 'submitting' ? 'queued' : (state as ReturnType<typeof visibleState>)
}

const words = {
  queued: 'QUEUED',
  in_progress: 'IN_PROGRESS',
  completed: 'SUCCESS',
  failed: 'FAILURE',
  expired: 'FAILURE',
} as const

/** The state in the words of One Hub's interfaces. */
export const statusWord = (row: Pick<TaskRow, 'state' | 'settlement'>) =>
  row.state === 'submitting' ? 'SUBMITTED' : words[visibleState(row)]
