/** Copies the marks that the console uses; apps/console/src/domain/marks/README.md says how to run this. */

import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { markNames } from '../../apps/console/src/domain/marks/register.ts'

const [source] = process.argv.slice(2)
const target = join(import.meta.dirname, '../../apps/console/public/marks')

/** The size and the style belong to where a mark is used. */
const stripped = svg =>
  svg.replace(/<svg[^>]*>/, head => head.replace(/ (height|width|style)="[^"]*"/g, '')).concat('\n')

mkdirSync(target, { recursive: true })
for (const file of readdirSync(target)) if (file.endsWith('.svg')) rmSync(join(target, file))
for (const name of markNames)
  writeFileSync(
    join(target, `${name}.svg`),
    stripped(readFileSync(join(source, `${name}.svg`), 'utf8')),
  )
