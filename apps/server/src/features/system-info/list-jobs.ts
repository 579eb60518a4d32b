import { type JobInfo, jobNames } from '@hub/contract'
import { type App, nowSeconds } from '../../core/app.ts'
import { list } from '../../db/queries/job-runs.ts'

type ListedRun = Awaited<ReturnType<typeof list>>[number]

const neverRun = { epoch: null, started_at: null, succeeded_at: null, duration_ms: 0, error: '' }

/** All jobs of this release. One that no node has seen yet is due now. */
export const listJobs = async (app: App): Promise<JobInfo[]> => {
  const rows = new Map((await list(app.db)).map(row => [row.name, row]))
  return jobNames.map(name => {
    const row = rows.get(name)
    if (!row) return { name, state: 'waiting', due_at: nowSeconds(app), ...neverRun }
    const { live_epoch, ended_at, ...run } = row
    return { ...run, name, epoch: live_epoch, state: stateOf(row) }
  })
}

const stateOf = ({ live_epoch, ended_at, error }: ListedRun): JobInfo['state'] => {
  if (live_epoch !== null) return 'running'
  if (ended_at === null) return 'waiting'
  return error ? 'failed' : 'succeeded'
}
