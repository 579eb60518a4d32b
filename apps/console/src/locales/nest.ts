/** `./tokens.json` becomes `tokens`: the file is the first word of a key. */
export const nest = (files: Record<string, unknown>): Record<string, unknown> =>
  Object.fromEntries(
    Object.entries(files).map(([path, words]) => [path.replace(/^\.\/|\.json$/g, ''), words]),
  )
