import { Fault } from '@hub/contract'
import { listItems } from '@hub/dialects'
import type { App } from '../../core/app.ts'
import * as kept from '../../db/queries/kept.ts'
import * as stored from '../../db/queries/stored.ts'
import { takeRoom } from '../body.ts'
import { type Exchange, writeWhole } from '../exchange.ts'
import { listedInput, readChain } from './chain.ts'
import { openContent } from './content.ts'

type Asked = { userId: number; id: string }

/** What its owner asks of an answer that is kept here. */
export const serveKept = async (app: App, exchange: Exchange, asked: Asked): Promise<void> => {
  const answer = await answerTo(app, exchange, asked)
  const body = Buffer.from(JSON.stringify(answer))
  writeWhole(exchange, 200, ['content-type', 'application/json'], body)
}

const answerTo = async (app: App, exchange: Exchange, { userId, id }: Asked): Promise<unknown> => {
  const query = new URLSearchParams(exchange.query)
  switch (exchange.operation) {
    case 'answer':
      if (query.get('stream') === 'true') throw refused('It is kept whole, and cannot be streamed.')
      return read(app, exchange, { userId, id })
    case 'answer-delete':
      await stored.remove(app.db, id)
      return { id, object: 'response', deleted: true }
    case 'answer-input':
      return listItems(
        listedInput(await readChain(app, userId, id, bytes => takeRoom(app, exchange, bytes))),
        pageIn(query),
      )
    default:
      throw refused('Only what is made in the background can be stopped, and this was not.')
  }
}

const refused = (hint: string) => new Fault('request.invalid', { hint })

const read = async (app: App, exchange: Exchange, { userId, id }: Asked) => {
  const sealed = (await kept.contentsOf(app.db, userId, [id])).get(id)
  if (sealed === undefined) throw new Fault('response.unknown')
  takeRoom(app, exchange, sealed.length)
  return openContent(app, id, sealed).response
}

const limitMax = 100
const limitUsual = 20

/** https://platform.openai.com/docs/api-reference/responses/input-items */
const pageIn = (query: URLSearchParams) => {
  const limit = Number(query.get('limit') ?? limitUsual)
  if (!Number.isInteger(limit) || limit < 1 || limit > limitMax)
    throw refused(`'limit' must be a whole number from 1 to ${limitMax}.`)
  const order = query.get('order') ?? 'desc'
  if (order !== 'asc' && order !== 'desc') throw refused("'order' must be asc or desc.")
  const after = query.get('after') ?? undefined
  return { limit, order, after, before: query.get('before') ?? undefined } as const
}
