import { type Log, logTypes } from '@hub/contract'
import { api } from '../../api/index.ts'

const waits = [0, 300, 900, 2000, 4000]

/**
 * Finds the log row of a call of the user's own by its id: the charge, or else the row of its error. Retries, because
 * rows are written with a delay.
 */
export const findLogRow = async (requestId: string): Promise<Log | undefined> => {
  if (!/^\d+$/.test(requestId)) return undefined
  for (const wait of waits) {
    await new Promise(resolve => setTimeout(resolve, wait))
    const row = (await findCharge(requestId)) ?? (await findFailure(requestId))
    if (row) return row
  }
  return undefined
}

const findCharge = async (requestId: string) => {
  const page = await api.logs
    .self({ page: 1, size: 1, id: Number(requestId) })
    .catch(() => undefined)
  return page?.data.find(each => String(each.id) === requestId)
}

const findFailure = async (requestId: string) => {
  const page = await api.logs
    .self({ page: 1, size: 20, log_type: logTypes.error, order: '-id' })
    .catch(() => undefined)
  return page?.data.find(each => each.metadata.request_id === requestId)
}
