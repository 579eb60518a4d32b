/** The address that callers use. One that was never set names this machine: then the address of this page is nearer the truth. */
export const serverAddress = (configured: string, page: Location = window.location): string => {
  const address = configured.replace(/\/+$/, '')
  const isUnset = address === '' || address === 'http://localhost:3000'
  return isUnset ? page.origin : address
}

/** A call that works as it stands: the key in place, the prompt as short as can be. */
export const makeCurlCommand = (server: string, key: string, model: string): string =>
  [
    `curl ${server}/v1/chat/completions \\`,
    `  -H "Authorization: Bearer ${key}" \\`,
    `  -H "Content-Type: application/json" \\`,
    `  -d '${JSON.stringify({ model, messages: [{ role: 'user', content: 'Hello' }] }).replaceAll("'", "'\\''")}'`,
  ].join('\n')
