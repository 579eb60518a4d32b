import { execFileSync } from 'node:child_process'

/** The files of a commit, or of what is not committed yet. */
export type Change = { commit: string; files: readonly string[] }

/** Newest first. `note` says why there are none, or fewer than asked for. */
export type Changes = { changes: readonly Change[]; note?: string }

/**
 * Reads what the last commits changed. A clean clone has no remote to compare with, so that the history of HEAD is all
 * that is looked at. A commit without a parent, such as the oldest of a shallow clone, lists every file: it is no change.
 */
export const readChanges = (folder: string, commitsMax: number): Changes => {
  const git = (...words: string[]): string =>
    execFileSync('git', ['-C', folder, ...words], {
      encoding: 'utf8',
      maxBuffer: 1 << 28,
      stdio: ['ignore', 'pipe', 'ignore'],
    })
  try {
    const format = `--format=${marker}%H %P`
    const log = git('log', '-z', '-n', String(commitsMax), '--cc', '--name-only', format)
    const uncommitted = namesOf(git('diff', '-z', '--name-only', 'HEAD'))
    const changes = [{ commit: 'not committed', files: uncommitted }, ...commitsOf(log)]
    const known = changes.filter(each => each.files.length > 0)
    const isShallow = git('rev-parse', '--is-shallow-repository').trim() === 'true'
    if (!isShallow) return { changes: known }
    return {
      changes: known,
      note: 'this clone is shallow, so that older commits are not looked at',
    }
  } catch {
    return { changes: [], note: 'there is no git, or no commit here, so that no change is known' }
  }
}

/** No path begins with it. */
const marker = '\u0001'

const namesOf = (text: string): string[] =>
  text
    .split('\0')
    .map(each => each.trim())
    .filter(Boolean)

/** A merge lists only the files in which it differs from each parent. */
const commitsOf = (log: string): Change[] =>
  log
    .split(marker)
    .filter(Boolean)
    .flatMap(text => {
      const [head = '', ...files] = namesOf(text)
      const [commit = '', ...parents] = head.split(' ')
      return parents.length === 0 ? [] : [{ commit, files }]
    })
