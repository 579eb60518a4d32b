import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { initialsOf } from './type-icon.tsx'

const folder = join(import.meta.dirname, '../../../../../packages/providers/src')
const ids = readdirSync(folder, { withFileTypes: true })
  .filter(each => each.isDirectory())
  .map(({ name }) => name)

it.each(ids)('the type %s has an icon of two letters', id => {
  expect(initialsOf(id)).toMatch(/^[A-Z0-9]{2}$/)
})

it('types of one vendor have icons of their own', () => {
  expect(['azure', 'azure-v1', 'azure-speech'].map(initialsOf)).toEqual(['AZ', 'AV', 'AS'])
})
