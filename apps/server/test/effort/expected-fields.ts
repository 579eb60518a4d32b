import { readFileSync } from 'node:fs'

/**
 * The fields that leave for each ending: family of models, dialect at the vendor, endings: fields. `any` is a refusal. The highest
 * effort of Nova cannot be had with a limit, which callers of Messages always name.
 */
const table = readFileSync(new URL('expected-fields.txt', import.meta.url), 'utf8')

const rows = table
  .trim()
  .split('\n')
  .map(line => {
    const [, family, to, endings, fields] = /^(\S+) (\S+) (\S+): (.*)$/.exec(line)!
    return { family, to, endings: endings!.split(','), fields }
  })

type Name = { family: string; caller: string; to: string; ending: string }

export const expectedFields = ({ family, caller, to, ending }: Name): string | undefined =>
  [`${to}/${caller}`, to]
    .map(place =>
      rows.find(
        each => each.family === family && each.to === place && each.endings.includes(ending),
      ),
    )
    .find(each => each !== undefined)?.fields
