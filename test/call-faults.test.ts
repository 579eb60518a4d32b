import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { callFaults, type FaultCode, faults } from '@hub/contract'
import { anthropic, type CallerFormat, gemini, openaiChat } from '@hub/dialects'
import { expect, it } from 'vitest'
import { root } from './harness/paths.ts'

const server = 'apps/server/src'
const read = (path: string) => readFileSync(join(root, path), 'utf8')

/** The sources that decide how calls end. */
const sources = [
  ...[
    'relay/**/*.ts',
    'stored-objects/**/*.ts',
    'tasks/**/*.ts',
    'sockets/**/*.ts',
    'public-routes.ts',
  ],
  ...['billing/calls/**/*.ts', 'billing/quote.ts', 'db/ledger/**/*.ts'],
]
  .flatMap(pattern => globSync(`${server}/${pattern}`, { cwd: root }))
  .filter(path => !path.endsWith('.test.ts'))
  .map(path => ({ path, text: withoutComments(read(path)) }))

function withoutComments(text: string): string {
  return text.replaceAll(/^\s*(\/\/|\/?\*).*$/gm, '')
}

/** Faults that these sources throw for administrators and jobs only. */
const notOfCalls = new Set(['price.source', 'provider.unknown', 'storage.failed', 'storage.unset'])

const isFault = (code: string): code is FaultCode => code in faults

const codesIn = (text: string): FaultCode[] =>
  [...text.matchAll(/'([a-z_]+\.[a-z_]+)'/g)]
    .map(([, code = '']) => code)
    .filter(isFault)
    .filter(code => !notOfCalls.has(code))

type Row = { code: FaultCode; path: string; name: string; seen: string[] }

const rows: Row[] = [
  ...read('docs/errors.md').matchAll(
    /^\| `([\w.]+)` \| `([\w/.-]+\.ts)` `(\w+)` \| (.+) \| (.+) \| (.+) \|$/gm,
  ),
].map(([, code = '', path = '', name = '', ...seen]) => ({
  ...{ code: code as FaultCode, path, name, seen },
}))

it('the list of codes of calls has every code that the sources of calls name, and no other', () => {
  const named = new Set(sources.flatMap(({ text }) => codesIn(text)))
  expect([...callFaults].toSorted()).toEqual([...named].toSorted())
})

it('the page about faults says of every code of calls where it is decided', () => {
  expect(rows.map(row => row.code)).toEqual([...callFaults])
})

/** From the declaration of a name to the next one at the beginning of a line. */
const declarationOf = (text: string, name: string): string => {
  const declared = /^(?:export )?(?:async )?(?:const|function|class) (\w+)/gm
  const starts = [...text.matchAll(declared)]
  const at = starts.findIndex(each => each[1] === name)
  return at === -1 ? '' : text.slice(starts[at]!.index, starts[at + 1]?.index)
}

it.each(rows)('$code is decided in $path by $name', ({ code, path, name }) => {
  const source = sources.find(each => each.path === `${server}/${path}`)
  expect(declarationOf(source?.text ?? '', name)).toContain(`'${code}'`)
})

const formats: [CallerFormat, (error: Record<string, string>) => string | undefined][] = [
  [openaiChat, error => error.code ?? error.type],
  [anthropic, error => error.type],
  [gemini, error => error.status],
]

it.each(rows)('clients see $code as the page about faults says', ({ code, seen }) => {
  const [status, message] = faults[code]
  const sent = formats.map(([format, codeOf]) => {
    const fault = format.encodeFault({ code, status, message, requestId: '1' })
    return `${fault.status} \`${codeOf(JSON.parse(fault.body).error)}\``
  })
  expect(seen).toEqual(sent)
})
