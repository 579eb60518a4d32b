import { copyFileSync, existsSync, mkdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { root } from '../../../harness/paths.ts'
import type { Program, Workplace } from './programs.ts'
import { runPrompt } from './run.ts'
import { ask, done, filesAtEnd, scriptedTurns } from './turns.ts'

const picture = join(root, 'apps/console/public/icon-192.png')

export const placeIn = (home: string, more: Omit<Workplace, 'home' | 'work'>): Workplace => {
  const work = join(home, 'work')
  mkdirSync(work)
  copyFileSync(picture, join(work, 'image.png'))
  return { ...more, home, work }
}

export type Session = {
  place: Workplace
  model: string
  /** Resolves when the vendor stands still in the turn that the user stops. */
  stalled: Promise<void>
  beforeTurn?: (turn: number) => Promise<unknown>
}

/** Plays the ten turns. Returns what is wrong with a turn, or with the files after the last one. */
export const playSession = async (
  program: Program,
  { place, model, stalled, beforeTurn }: Session,
): Promise<string[]> => {
  for (const [at, { isImage, isStopped }] of scriptedTurns.entries()) {
    const turn = at + 1
    await beforeTurn?.(turn)
    const image = isImage && program.sendsImages ? join(place.work, 'image.png') : undefined
    const promptRun = { model, prompt: ask(turn), isFirst: turn === 1, image }
    const run = await runPrompt(program, place, promptRun, isStopped ? stalled : undefined)
    const isDone = isStopped ? run.stopped : run.code === 0 && run.output.includes(done(turn))
    if (!isDone) return [`turn ${turn}: code ${run.code}: ${run.output.slice(-600)}`]
  }
  return Object.entries(filesAtEnd).flatMap(([file, text]) => {
    const path = join(place.work, file)
    const found = existsSync(path) ? readFileSync(path, 'utf8') : 'missing'
    return found.trimEnd() === text.trimEnd() ? [] : [`${file}: ${found}`]
  })
}
