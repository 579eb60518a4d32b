import { type CallRoute, FailedAttempt, Fault, logTypes, RouteNote } from '@hub/contract'
import type { App } from '../../core/app.ts'
import * as rows from '../../db/queries/call-routes.ts'
import { listOf, servesModel } from '../../relay/channels/channel.ts'

const disabledMax = 20

/** Reads which channels a call tried, and why it did not try the others. Rows that belong to no call answer 404. */
export const route = async (app: App, id: number): Promise<CallRoute> => {
  const row = await rows.findCall(app.db, id)
  if (row?.type !== logTypes.consume && row?.type !== logTypes.error)
    throw new Fault('resource.missing')
  const metadata = JSON.parse(row.metadata)
  const note = RouteNote.safeParse(metadata.route).data ?? { candidates: 1 }
  const attempts = FailedAttempt.array().safeParse(metadata.attempts).data ?? []
  const { after = 0, passed_over = [], more = 0 } = note
  return {
    ...note,
    ...{ id: row.id, model: row.model_name, request_time: row.request_time, attempts },
    ...{ passed_over, more },
    served:
      row.type === logTypes.consume
        ? {
            channel_id: row.channel_id,
            channel: row.channel_name ?? '',
            after,
            milliseconds: Math.max(0, row.request_time - after),
            first_byte: Number.isFinite(metadata.first_response) ? metadata.first_response : null,
          }
        : null,
    disabled: await listDisabled(
      app,
      note.virtual?.candidates.map(each => each.model) ?? [
        String(metadata.requested_model ?? row.model_name),
      ],
    ),
  }
}

const listDisabled = async (
  app: App,
  requested: readonly string[],
): Promise<CallRoute['disabled']> =>
  (await rows.listDisabled(app.db))
    .filter(({ models }) => requested.some(model => servesModel({ models: listOf(models) }, model)))
    .slice(0, disabledMax)
    .map(({ id, name, status }) => ({ channel_id: id, channel: name, status }))
