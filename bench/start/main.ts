// npm run bench:start: start, memory and space of the server on SQLite.

import { footprintRows } from '../report.ts'
import { measureFootprint } from './footprint.ts'

console.log(footprintRows(await measureFootprint()).join('\n'))
