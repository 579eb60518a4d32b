/** What TypeScript takes from `node.mjs`. */
export const serverFlags: string[]
