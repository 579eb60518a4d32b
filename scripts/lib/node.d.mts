/** What TypeScript takes from `node.mjs`. */
export const serverFlags: string[]
export const root: string
export const getNode: () => string
export const environment: (
  node: string,
  more?: Record<string, string>,
) => Record<string, string | undefined>
