import { Fault } from '@hub/contract'
import { listedItem, outputItems, type ResponseItem, withoutCompacted } from '@hub/dialects'
import type { App } from '../../core/app.ts'
import * as localResponses from '../../db/queries/local-responses.ts'
import { openContent, type StoredContent } from './content.ts'

/** The most responses that one conversation may have. */
const lengthMax = 1_000

export type Turn = StoredContent & { id: string }

/**
 * Reads a response and the conversation before it, oldest first. `reserveBytes` is called with the size before anything
 * is read, and throws where it is too much.
 */
export const readConversation = async (
  app: App,
  userId: number,
  id: string,
  reserveBytes: (bytes: number) => void,
): Promise<Turn[]> => {
  const links = await localResponses.listConversation(app.callDb, userId, id, lengthMax)
  if (links.length === lengthMax && links.at(-1)?.previous !== null)
    throw new Fault('request.too_large', {
      hint: `A conversation has ${lengthMax} responses at most.`,
    })
  if (links.at(-1)?.previous !== null) throw incomplete()
  reserveBytes(links.reduce((sum, { size }) => sum + size, 0))
  const ids = links.map(each => each.id).toReversed()
  const contents = await localResponses.findContents(app.callDb, userId, ids)
  return ids.map(each => {
    const sealed = contents.get(each)
    if (sealed === undefined) throw incomplete()
    return { id: each, ...openContent(app, each, sealed) }
  })
}

const incomplete = () =>
  new Fault('response.previous', {
    hint: 'Part of the conversation was deleted, or is not stored any more.',
  })

/** The items of these turns that the next one continues, in order. */
export const conversationItems = (turns: readonly Turn[]): ResponseItem[] =>
  withoutCompacted(turns.flatMap(({ input, response }) => [...input, ...outputItems(response)]))

/** The input of the last turn as vendors list it: with the conversation before it. */
export const listedInput = (turns: readonly Turn[]): ResponseItem[] =>
  turns.flatMap(({ id, input, response }, turn) => {
    const items = input.map((item, index) => listedItem(item, id, index))
    return turn === turns.length - 1 ? items : [...items, ...outputItems(response)]
  })
