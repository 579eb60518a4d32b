import type { Feature } from '../cell.ts'
import { errorsAndLists } from './errors-and-lists.ts'
import { limits } from './limits.ts'
import { words } from './text.ts'
import { thinking } from './thinking.ts'
import { tools } from './tools.ts'

/** The rows of the grid: a closed list. What is not here is not promised. */
export const features: readonly Feature[] = [
  ...words,
  ...tools,
  ...thinking,
  ...limits,
  ...errorsAndLists,
]
