/** The base address for API callers. When it was never configured, the address of this page is used. */
export const serverAddress = (configured: string, page: Location = window.location): string => {
  const address = configured.replace(/\/+$/, '')
  const isUnset = address === '' || address === 'http://localhost:3000'
  return isUnset ? page.origin : address
}

/** A complete curl command for a short chat completion. */
export const makeCurlCommand = (server: string, key: string, model: string): string =>
  [
    `curl ${server}/v1/chat/completions \\`,
    `  -H "Authorization: Bearer ${key}" \\`,
    `  -H "Content-Type: application/json" \\`,
    `  -d '${JSON.stringify({ model, messages: [{ role: 'user', content: 'Hello' }] }).replaceAll("'", "'\\''")}'`,
  ].join('\n')
