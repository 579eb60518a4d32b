import { providerOf } from '@hub/providers'
import { type App, nowSeconds } from '../../core/app.ts'
import { listChecked } from '../../db/queries/channel-watches.ts'
import { findChannel } from '../../db/queries/relay-channels.ts'
import { type Channel, decodeChannel } from '../../relay/channels/channel.ts'
import { readRatio } from './read-ratio.ts'
import { hasWatch, watchModels } from './watch-models.ts'

/** A run ends before the next one is due. */
const runMaxMs = 45 * 60_000
/** The job does not run to the second, so that an interval of whole hours would become one hour longer. */
const earlySeconds = 1_800

type DueReading = { id: number; at: number; read: (app: App, channel: Channel) => Promise<void> }

/**
 * Reads the lists of models and the multipliers that are due, the longest ago first, so that each has its turn. The failure
 * of one does not end the run.
 */
export const readDueUpstreams = async (app: App): Promise<void> => {
  const deadline = app.monotonic() + runMaxMs
  for (const { id, read } of await listDue(app)) {
    if (app.stopping() || app.monotonic() > deadline) return
    try {
      const channel = await findReadable(app, id)
      if (channel) await read(app, channel)
    } catch (error) {
      app.log.error({ err: error, channel: id }, 'an upstream could not be read')
    }
  }
}

const listDue = async (app: App): Promise<DueReading[]> => {
  const { ModelWatchHours, UpstreamRatioHours } = app.settings().channels
  const now = nowSeconds(app)
  const isDue = (at: number, hours: number) => hours > 0 && now - at >= hours * 3_600 - earlySeconds
  const rows = await listChecked(app.db)
  const readings = rows.flatMap(row => {
    const { id, list_at, ratio_at } = row
    const provider = providerOf(row.type)
    const models = { id, at: list_at ?? 0, read: watchModels }
    const ratio = { id, at: ratio_at ?? 0, read: readRatio }
    const hasModels = provider?.modelListPath !== undefined && hasWatch(row)
    return [
      ...(hasModels && isDue(models.at, ModelWatchHours) ? [models] : []),
      ...(provider?.groupRatios && isDue(ratio.at, UpstreamRatioHours) ? [ratio] : []),
    ]
  })
  return readings.toSorted((a, b) => a.at - b.at)
}

/** Undefined: it has no key, or cannot be used. */
const findReadable = async (app: App, id: number): Promise<Channel | undefined> => {
  const row = await findChannel(app.db, id)
  return row && row.key_count > 0 ? decodeChannel(app, row) : undefined
}

/** Reads both at once, whenever they are due. */
export const readUpstreamNow = async (app: App, id: number): Promise<void> => {
  const channel = await findReadable(app, id)
  if (!channel) return
  const { modelListPath } = channel.provider
  const mode = channel.options.watch?.models ?? 'off'
  if (modelListPath !== undefined && mode !== 'off') await watchModels(app, channel)
  if (channel.provider.groupRatios) await readRatio(app, channel)
}
