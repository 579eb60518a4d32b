import { createHash } from 'node:crypto'
import { Fault, findNul } from '@hub/contract'
import { type App, nowSeconds } from '../../core/app.ts'
import { reportFailure, reportSuccess } from '../../core/health/services.ts'
import * as orderEvents from '../../db/queries/order-events.ts'
import * as orders from '../../db/queries/orders.ts'
import * as gateways from '../../db/queries/payment-gateways.ts'
import type {
  NoticeAnswer,
  NoticeRefusal,
  RawNotice,
  ReadNotice,
} from '../../integrations/payments/payment-gateway.ts'
import { applyEvent } from './apply-event.ts'
import { type OpenGateway, openGateway } from './gateway.ts'

const plain = (status: number, body: string): NoticeAnswer => ({
  status,
  contentType: 'text/plain',
  body,
})

/**
 * Reads and applies a notification of a vendor and returns the vendor's exact answer, always after the commit. A gateway
 * that was disabled or deleted still accepts payments of its old orders. Never rejects.
 */
export const handleNotice = async (
  app: App,
  uuid: string,
  notice: RawNotice,
  ip: string,
): Promise<NoticeAnswer> => {
  try {
    const row = findNul(uuid) === undefined ? await gateways.findByUuid(app.db, uuid) : undefined
    if (!row) return plain(404, 'unknown gateway')
    const gateway = openGateway(app, row)
    const read = await readNotice(gateway, notice)
    if (read.ok) {
      await reportSuccess(app, { service: 'payment', id: row.id })
      return await applyNotice(app, gateway, read, ip)
    }
    const refused = new Fault('payment.refused', {
      hint: `Its notice is not accepted: ${read.reason}.`,
    })
    await reportFailure(app, { service: 'payment', id: row.id, name: row.name }, refused)
    logRefusal(app, row.id, read.reason, notice)
    await recordRefusal(app, row.id, read, ip)
    return read.answer
  } catch (error) {
    const code = error instanceof Fault ? error.code : 'server.failed'
    app.log.error({ code, err: error instanceof Fault ? undefined : error }, 'a notice failed')
    return plain(500, 'try again later')
  }
}

/** A vendor writes no NUL. A number with one would name another order where it is left out. */
const readNotice = async ({ integration, context }: OpenGateway, notice: RawNotice) => {
  const read = await integration.readNotice(context, notice)
  if (findNul(read) === undefined) return read
  const answer = read.ok ? read.failed : read.answer
  return { ok: false as const, reason: 'malformed' as const, answer }
}

const applyNotice = async (
  app: App,
  { row }: OpenGateway,
  { events, accepted, failed, unknownOrder }: Extract<ReadNotice, { ok: true }>,
  ip: string,
): Promise<NoticeAnswer> => {
  try {
    let answer = accepted
    for (const event of events) {
      const outcome = await applyEvent(app, row.id, event, { kind: 'notice', source: ip })
      if (outcome === undefined) answer = unknownOrder
    }
    return answer
  } catch (error) {
    app.log.error({ err: error, gateway: row.id }, 'a verified notice could not be stored')
    return failed
  }
}

/** The content may hold anything, so only its length and hash are logged. */
const logRefusal = (app: App, gateway: number, reason: NoticeRefusal, { body }: RawNotice) => {
  const sha256 = createHash('sha256').update(body).digest('hex')
  app.log.warn({ gateway, reason, bytes: body.length, sha256 }, 'a payment notice was refused')
}

const refusalsMax = 100
const refusalsSeconds = 3600

/** A stranger can send any number of refused notices, so a bounded number is stored. */
const recordRefusal = async (
  app: App,
  gatewayId: number,
  { reason, claimedTradeNo }: Extract<ReadNotice, { ok: false }>,
  ip: string,
): Promise<void> => {
  const key = `payment-refusals:${gatewayId}`
  if (!(await app.state.count(key, refusalsSeconds, refusalsMax)).ok) return
  const claimed = claimedTradeNo && (await orders.findByTradeNo(app.db, claimedTradeNo))
  await orderEvents.insert(app.db, {
    order_id: claimed && claimed.gateway_id === gatewayId ? claimed.id : 0,
    gateway_id: gatewayId,
    at: nowSeconds(app),
    kind: 'notice',
    source: ip,
    outcome: reason,
    detail: '',
  })
}
