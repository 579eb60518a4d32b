import { type ChannelImport, type contract, Fault } from '@hub/contract'
import type { z } from 'zod'
import type { App } from '../../../core/app.ts'
import type { SignedInUser } from '../../../core/implement.ts'
import { announceChange } from '../../../db/queries/channel-versions.ts'
import { listSymbols } from '../../../db/queries/groups.ts'
import { storeCosts } from '../costs/store.ts'
import { insertChannel } from '../create.ts'
import { readChannelFile } from './read-file.ts'

type ImportInput = z.output<(typeof contract.channels.endpoints)['import']['input']>

/** Creates the channels of a file, all or none. A dry run only says what would be created, and what is wrong. */
export const importChannels = (
  app: App,
  { userId }: SignedInUser,
  { file, dry_run }: ImportInput,
): Promise<ChannelImport> =>
  app.db.transaction().execute(async tx => {
    const { entries, problems } = readChannelFile(file, new Set(await listSymbols(tx)))
    const channels = entries.map(each => each.planned)
    if (dry_run) return { channels, problems, ids: [] }
    if (problems.length > 0) throw refusal(problems)
    const ids: number[] = []
    for (const { planned, channel, keys } of entries) {
      const { key, secrets, status, costs: list, ...fields } = channel
      const given = { keys, proxy: channel.proxy, custom_parameter: channel.custom_parameter }
      const id = await insertChannel(app, tx, { ...fields, status: planned.status }, given)
      if (list) await storeCosts(app, tx, { channelId: id, list, userId })
      ids.push(id)
    }
    await announceChange(tx)
    return { channels, problems, ids }
  })

const refusal = (problems: ChannelImport['problems']): Fault => {
  const clauses = problems.map(({ line, field, reason, detail }) =>
    [`line ${line}`, field && ` \`${field}\``, `: ${reason}`, detail && ` (${detail})`].join(''),
  )
  return new Fault('channel.import_refused', { hint: `${clauses.join('; ')}.`, data: problems })
}
