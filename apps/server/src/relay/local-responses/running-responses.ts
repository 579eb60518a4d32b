import type { App } from '../../core/app.ts'
import { appScoped } from '../../core/app-scoped.ts'
import { timers } from '../../core/timers.ts'
import type { SealedContent } from '../../db/queries/local-responses.ts'
import * as localResponses from '../../db/queries/local-responses.ts'
import { abortRequest, type CallContext } from '../context.ts'

/** How often a node looks which of its responses were cancelled at another node, and writes an end again that failed. */
const lookMs = 1_000

/** A call that makes a response in the background. */
type Run = {
  context: CallContext
  /** Set once the call has ended, until the end is written: with the stored content, or with another. */
  end?: { content: SealedContent | undefined }
}

/** The responses that this node makes in the background. */
export const runningResponses = appScoped(app => new RunningResponses(app))

class RunningResponses {
  private readonly app: App
  private readonly runs = new Map<string, Run>()
  private isLookPending = false

  constructor(app: App) {
    this.app = app
  }

  add(id: string, context: CallContext): void {
    this.runs.set(id, { context })
    this.lookLater()
  }

  /** Ends the call of a cancelled response. It is charged like one whose caller has left. */
  cancel(id: string): void {
    const run = this.runs.get(id)
    if (run && !run.end) abortRequest(run.context, 'caller-left')
  }

  /** Writes the end of a response, unless it was cancelled or deleted meanwhile. Without a database it is tried again. */
  async end(id: string, content: SealedContent | undefined): Promise<void> {
    const run = this.runs.get(id)
    if (!run) return
    run.end = { content }
    await this.writeEnd(id, content)
  }

  private async writeEnd(id: string, content: SealedContent | undefined): Promise<void> {
    try {
      await localResponses.endRunning(this.app.callDb, id, content)
      this.runs.delete(id)
    } catch (error) {
      this.app.log.warn({ err: error, response: id }, 'the end of a response was not written')
    }
  }

  private lookLater(): void {
    if (this.isLookPending) return
    this.isLookPending = true
    timers(this.app).start(lookMs, () => void this.look())
  }

  private async look(): Promise<void> {
    const runs = [...this.runs]
    for (const [id, { end }] of runs) if (end) await this.writeEnd(id, end.content)
    await this.endCancelled(runs.filter(([, { end }]) => !end).map(([id]) => id))
    this.isLookPending = false
    if (this.runs.size > 0) this.lookLater()
  }

  private async endCancelled(ids: string[]): Promise<void> {
    if (ids.length === 0) return
    try {
      const running = await localResponses.listRunning(this.app.callDb, ids)
      for (const id of ids) if (!running.has(id)) this.cancel(id)
    } catch (error) {
      this.app.log.warn({ err: error }, 'cancelled responses were not looked up')
    }
  }
}
