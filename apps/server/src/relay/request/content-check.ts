import { Fault } from '@hub/contract'
import type { ParsedRequest } from '@hub/dialects'
import type { App } from '../../core/app.ts'
import { appScoped } from '../../core/app-scoped.ts'
import { WordSearch } from '../../lib/word-search.ts'
import type { AuthenticatedContext } from '../context.ts'

const wordSearch = appScoped(() => ({ words: '', search: new WordSearch([]) }))

/**
 * Searches the texts of a request for the words of the setting, before anything is reserved or sent. Throws
 * `request.content`, or only writes to the system log. Neither names more of the prompt than the word.
 */
export const checkContent = (
  app: App,
  { id, caller, operation }: AuthenticatedContext,
  { model, body }: ParsedRequest,
): void => {
  const { SafeMode, SafeKeyWords } = app.settings().safety
  const cached = wordSearch(app)
  if (cached.words !== SafeKeyWords) {
    cached.words = SafeKeyWords
    cached.search = new WordSearch(SafeKeyWords.split('\n'))
  }
  const word = findIn(cached.search, JSON.parse(body.toString()) as unknown)
  if (word === undefined) return
  app.log.warn(
    { request: id, user: caller.userId, operation, model, word, mode: SafeMode },
    'a request contains a word of the content check',
  )
  if (SafeMode === 'block') throw new Fault('request.content', { detail: word })
}

/** Names of fields are not searched, only their texts, at any depth: the format of the caller does not matter. */
const findIn = (search: WordSearch, body: unknown): string | undefined => {
  const waiting = [body]
  for (let value = waiting.pop(); value !== undefined; value = waiting.pop()) {
    if (typeof value === 'string') {
      const word = isMedia(value) ? undefined : search.find(value)
      if (word !== undefined) return word
    } else if (typeof value === 'object' && value !== null) {
      for (const each of Object.values(value)) if (each !== undefined) waiting.push(each)
    }
  }
  return undefined
}

/** Files as base64, in which words would be found by chance. */
const isMedia = (text: string): boolean =>
  text.length > 1_000 && /^(data:[\w/+.-]+;base64,)?[\w+/=-]+$/.test(text)
