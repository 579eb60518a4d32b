import type { Feature } from './cell.ts'
import { around } from './features/around.ts'
import { limits } from './features/limits.ts'
import { thinking } from './features/thinking.ts'
import { tools } from './features/tools.ts'
import { words } from './features/words.ts'

/** The rows of the grid: a closed list. What is not here is not promised. */
export const features: readonly Feature[] = [...words, ...tools, ...thinking, ...limits, ...around]
