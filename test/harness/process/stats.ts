import { readdirSync, readFileSync, readlinkSync } from 'node:fs'

/** Figures of a process and its children from /proc. Linux only, like the tests that read them. */
const statOf = (pid: number) => {
  const text = readFileSync(`/proc/${pid}/stat`, 'utf8')
  return text.slice(text.lastIndexOf(')') + 2).split(' ')
}

export const treeOf = (root: number): number[] => {
  const parents = new Map<number, number>()
  for (const name of readdirSync('/proc')) {
    if (!/^\d+$/.test(name)) continue
    try {
      parents.set(Number(name), Number(statOf(Number(name))[1]))
    } catch {
      // Gone between the listing and the look.
    }
  }
  const tree = [root]
  for (const pid of tree)
    for (const [child, parent] of parents) if (parent === pid) tree.push(child)
  return tree
}

/** Microseconds of CPU the tree has used; the kernel counts in hundredths of a second. */
export const cpuMicros = (root: number): number =>
  treeOf(root).reduce((sum, pid) => {
    const stat = statOf(pid)
    return sum + (Number(stat[11]) + Number(stat[12])) * 10_000
  }, 0)

/** Microseconds of CPU by process: of this one alone, or of its children too. A process that has ended is absent. */
export const cpuMicrosByProcess = (root: number, withChildren: boolean): Map<number, number> => {
  const used = new Map<number, number>()
  for (const pid of withChildren ? treeOf(root) : [root])
    try {
      const stat = statOf(pid)
      used.set(pid, (Number(stat[11]) + Number(stat[12])) * 10_000)
    } catch {
      // Gone between the listing and the look.
    }
  return used
}

export const rssBytes = (pid: number): number => {
  const kilobytes = /VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]
  return Number(kilobytes) * 1024
}

/** How many files a process may open here; node takes all that it may have. */
export const filesMax = (pid: number | 'self' = 'self'): number =>
  Number(/open files +\d+ +(\d+)/.exec(readFileSync(`/proc/${pid}/limits`, 'utf8'))?.[1] ?? 1024)

/** Every thread is stopped: a stop signal reaches them one after the other. */
export const isStopped = (pid: number): boolean =>
  readdirSync(`/proc/${pid}/task`).every(each => {
    const text = readFileSync(`/proc/${pid}/task/${each}/stat`, 'utf8')
    return text[text.lastIndexOf(')') + 2] === 'T'
  })

export const openFiles = (pid: number): number => readdirSync(`/proc/${pid}/fd`).length

export const openSockets = (pid: number): number =>
  readdirSync(`/proc/${pid}/fd`).filter(each => {
    try {
      return readlinkSync(`/proc/${pid}/fd/${each}`).startsWith('socket:')
    } catch {
      return false
    }
  }).length
