import type { AttachedImage } from './images.ts'
import { noSettings, type Settings } from './settings.ts'
import type { Turn } from './turn.ts'

/** The conversation of one tab. `userId` keeps it from the next person who signs in there. */
export type SavedChat = { settings: Settings; turns: readonly Turn[] }

const storageKey = 'playground'
/** Browsers keep about 5 million characters for a site. */
const imageCharactersMax = 2_000_000

export const loadChat = (userId: number): SavedChat => {
  try {
    const saved = JSON.parse(sessionStorage.getItem(storageKey) ?? 'null')
    if (saved?.userId === userId)
      return {
        settings: { ...noSettings, ...saved.settings },
        turns: saved.turns.map((turn: Turn) => ({
          ...turn,
          // A call ends with the page that made it.
          answers: turn.answers.map(answer =>
            answer.state === 'running' ? { ...answer, state: 'stopped' } : answer,
          ),
        })),
      }
  } catch {
    // Values that another release stored are ignored.
  }
  sessionStorage.removeItem(storageKey)
  return { settings: noSettings, turns: [] }
}

/** Keeps the newest pictures up to the bound; a browser without room keeps none, or only the settings. */
export const saveChat = (userId: number, { settings, turns }: SavedChat): void => {
  for (const kept of [withinBound(turns, imageCharactersMax), withinBound(turns, 0), []])
    try {
      sessionStorage.setItem(storageKey, JSON.stringify({ userId, settings, turns: kept }))
      return
    } catch {
      // There is no room: less is tried.
    }
}

const withinBound = (turns: readonly Turn[], bound: number): readonly Turn[] => {
  let characters = bound
  const keep = (image: AttachedImage) => {
    characters -= image.data.length
    return characters >= 0
  }
  return turns
    .toReversed()
    .map(turn => {
      const images = turn.images.filter(keep)
      return { ...turn, images, lostImages: turn.lostImages + turn.images.length - images.length }
    })
    .toReversed()
}
