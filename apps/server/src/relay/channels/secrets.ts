import type { ChannelSecret } from '@hub/contract'
import type { App } from '../../core/app.ts'
import type { RelayChannelRow } from '../../db/queries/relay-channels.ts'

type SealedRow = Pick<RelayChannelRow, 'id' | ChannelSecret>

const sealedAt = (name: ChannelSecret, id: number) => `channels.${name}:${id}`

/** Empty text means that nothing is stored, and stays empty. */
export const sealSecret = (app: App, name: ChannelSecret, id: number, text: string): string =>
  text && app.seal.seal('channel-secret', sealedAt(name, id), text)

export const openSecret = (app: Pick<App, 'seal'>, row: SealedRow, name: ChannelSecret): string =>
  row[name] && app.seal.open('channel-secret', sealedAt(name, row.id), row[name])
