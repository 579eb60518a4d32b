import {
  ChannelFields,
  channelFileFormat,
  channelFileVersion,
  channelSecrets,
  type contract,
  unexportedFields,
} from '@hub/contract'
import type { z } from 'zod'
import type { App } from '../../../core/app.ts'
import * as rows from '../../../db/queries/channels.ts'
import { storedCosts } from '../costs/store.ts'

type ExportInput = z.output<(typeof contract.channels.endpoints)['export']['input']>

/** Writes the chosen channels, or all of the filter, one per line. The file contains no key and no other secret. */
export const exportChannels = async (app: App, { ids, ...filter }: ExportInput) => {
  const found =
    ids === undefined
      ? await rows.listMatching(app.db, filter)
      : await rows.listByIds(app.db, [...new Set(ids.split(',').map(Number))])
  const lines = await Promise.all(
    found
      .toSorted((a, b) => a.id - b.id)
      .map(async row => {
        const costs = await storedCosts(app.db, row.id)
        return JSON.stringify({ ...exportedFields(row), ...(costs && { costs }) })
      }),
  )
  const text = `{"format":"${channelFileFormat}","version":${channelFileVersion},"channels":[
${lines.join(',\n')}
]}
`
  const day = new Date(app.now()).toISOString().slice(0, 10)
  const content = new TextEncoder().encode(text)
  return { name: `channels-${day}.json`, type: 'application/json; charset=utf-8', content }
}

const exportedNames = Object.keys(ChannelFields.shape).filter(
  name => !(channelSecrets as readonly string[]).includes(name),
)

/** The fields that a new channel can have, an allow-list, and the names of the secrets that the file lacks. */
const exportedFields = (row: rows.ChannelRow): object => {
  const channel = rows.asChannel(row)
  const fields = exportedNames.map(name => [name, channel[name as keyof typeof channel]])
  const isSet = { key: row.key_count > 0, ...channel.is_set }
  return {
    ...Object.fromEntries(fields),
    status: channel.status === 1 ? 1 : 2,
    secrets: unexportedFields.filter(name => isSet[name]),
  }
}
