import { Fault } from '@hub/contract'
import { listedItem, outputItems, type ResponseItem } from '@hub/dialects'
import type { App } from '../../core/app.ts'
import * as kept from '../../db/queries/kept.ts'
import { type Content, openContent } from './content.ts'

/** So many answers one conversation may have gone on. */
const lengthMax = 1_000

type Turn = Content & { id: string }

/**
 * The answer and all that it went on from, oldest first. `take` is told of the bytes before any of them is read, and
 * throws where they are too many.
 */
export const readChain = async (
  app: App,
  userId: number,
  id: string,
  take: (bytes: number) => void,
): Promise<Turn[]> => {
  const links = await kept.chainOf(app.db, userId, id, lengthMax)
  if (links.length === lengthMax && links.at(-1)?.previous !== null)
    throw new Fault('request.too-large', {
      hint: `A conversation has ${lengthMax} answers at most.`,
    })
  if (links.at(-1)?.previous !== null) throw incomplete()
  take(links.reduce((sum, { size }) => sum + size, 0))
  const ids = links.map(each => each.id).toReversed()
  const contents = await kept.contentsOf(app.db, userId, ids)
  return ids.map(each => {
    const sealed = contents.get(each)
    if (sealed === undefined) throw incomplete()
    return { id: each, ...openContent(app, each, sealed) }
  })
}

const incomplete = () =>
  new Fault('response.previous', {
    hint: 'Part of the conversation was deleted, or is not kept any more.',
  })

/** What was said in these turns, in order. */
export const itemsOf = (turns: readonly Turn[]): ResponseItem[] =>
  turns.flatMap(({ input, response }) => [...input, ...outputItems(response)])

/** What the last of them was made from, as it is listed: as vendors do, with the conversation before it. */
export const listedInput = (turns: readonly Turn[]): ResponseItem[] =>
  turns.flatMap(({ id, input, response }, at) => {
    const own = input.map((item, index) => listedItem(item, id, index))
    return at === turns.length - 1 ? own : [...own, ...outputItems(response)]
  })
