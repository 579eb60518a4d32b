// npm run bench:start: start, memory and space of the server on SQLite.
import { measureFootprint } from './footprint.ts'
import { footprintRows } from './report.ts'

console.log(footprintRows(await measureFootprint()).join('\n'))
