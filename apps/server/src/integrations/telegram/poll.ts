import type { Api } from 'grammy'
import type { Update } from 'grammy/types'
import { pollSeconds } from './client.ts'

/** The bot gets no other kinds of updates. https://core.telegram.org/bots/api#update */
export const allowedUpdates = ['message', 'callback_query'] as const

type PollOptions = {
  /** False: another node may poll by now. Asked before each poll and each update. */
  mayPoll(): Promise<boolean>
  handle(update: Update): Promise<void>
  signal: AbortSignal
}

/**
 * Gets updates until the signal, or until this node may poll no more. An update is confirmed by the next poll after it
 * was handled, so that after a crash it is handled again rather than lost. Rejects when a call or `handle` fails.
 */
export const pollUpdates = async (api: Api, { mayPoll, handle, signal }: PollOptions) => {
  let confirmed = 0
  let offset = 0
  const ask = (limit: number, timeout: number, cancelled?: AbortSignal) =>
    api.getUpdates(
      { offset, limit, timeout, allowed_updates: allowedUpdates },
      // grammY types signals by a package of its own.
      cancelled as never,
    )
  while (!signal.aborted && (await mayPoll())) {
    // The signal may have come while this node asked whether it may poll.
    if (signal.aborted) break
    const updates = await ask(100, pollSeconds, signal)
    confirmed = offset
    for (const update of updates) {
      // This process may have been suspended while the poll was open. The next holder of the bot gets the update again.
      if (signal.aborted || !(await mayPoll())) break
      await handle(update)
      offset = update.update_id + 1
    }
  }
  // No poll of ours is open here: the signal came while updates were handled.
  if (offset > confirmed && (await mayPoll())) await ask(1, 0)
}
