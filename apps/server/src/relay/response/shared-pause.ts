import type { Answer } from '../upstream/send.ts'

/** Pauses an upstream for several reasons at once: it flows when each of them is over. */
export type SharedPause = Pick<Answer, 'pause' | 'resume'> & { isPaused(): boolean }

export const sharePause = (answer: Answer): SharedPause => {
  let reasons = 0
  return {
    pause: () => {
      reasons += 1
      if (reasons === 1) answer.pause()
    },
    resume: () => {
      reasons -= 1
      if (reasons === 0) answer.resume()
    },
    isPaused: () => reasons > 0,
  }
}
