/** Maps `./tokens.json` to `tokens`: the file name is the first part of a key. */
export const nest = (files: Record<string, unknown>): Record<string, unknown> =>
  Object.fromEntries(
    Object.entries(files).map(([path, texts]) => [path.replace(/^\.\/|\.json$/g, ''), texts]),
  )
