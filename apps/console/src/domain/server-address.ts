import { addressStateOf } from '@hub/contract'

/** The base address for API callers. An unset one, or one that leads back to another machine, is that of this page. */
export const serverAddress = (
  configured: string,
  page: Pick<Location, 'origin'> = window.location,
): string => {
  const isElsewhere =
    addressStateOf(configured) === 'loopback' && addressStateOf(page.origin) === 'public'
  return configured === '' || isElsewhere ? page.origin : configured.replace(/\/+$/, '')
}

/** Quotes a value for POSIX shells, where it holds more than plain characters. */
export const quoteShell = (text: string): string =>
  /^[\w./:@%+=,-]+$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`

/** A complete curl command for a short chat completion. */
export const makeCurlCommand = (server: string, key: string, model: string): string =>
  [
    `curl ${quoteShell(`${server}/v1/chat/completions`)} \\`,
    `  -H ${header(`Authorization: Bearer ${key}`)} \\`,
    `  -H "Content-Type: application/json" \\`,
    `  -d ${quoteShell(JSON.stringify({ model, messages: [{ role: 'user', content: 'Hello' }] }))}`,
  ].join('\n')

/** Double quotes also serve the shell of Windows, but hold no character that a shell replaces. */
const header = (text: string) => (/["$`\\!]/.test(text) ? quoteShell(text) : `"${text}"`)
